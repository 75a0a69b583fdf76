import fs from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { downloaded } from './downloaded.ts'
import { entry, refusedAnswer } from './entry.ts'
import { examine } from './examine.ts'
import { journeys } from './journey.ts'
import { expectText } from './overview.ts'
import { expectNoSideways, screens } from './screens.ts'

const wrongToken =
  'Failed to setup security: The one-time setup token is wrong. Pulse prints it at startup and stores it in ' +
  '.bootstrap_token in the data folder.'
const alreadyDone =
  'Security is already configured. Please remove existing security first if you want to reconfigure.'

journeys(
  'a first start',
  (given) => {
    const tokenFile = () => path.join(given.estate.dataDir, '.bootstrap_token')
    const setup = (page: Page) => ({
      title: page.getByRole('heading', { name: 'Set up Pulse', exact: true }),
      token: page.getByRole('textbox', { name: 'Setup token' }),
      submit: page.getByRole('button', { name: 'Set up Pulse' }),
    })

    describe.each(screens)('$title', ({ title, ...screen }) => {
      test('[spec 2 §2] axe finds nothing in the setup', async () => {
        const { page } = await given.open({ ...screen, path: '/' })
        await setup(page).title.waitFor()
        await examine(page, `${title}-setup`)
        await page.getByRole('radio', { name: 'Choose my own' }).click()
        await setup(page).token.fill('anything')
        await page.getByLabel('New password', { exact: true }).fill('short')
        await setup(page).submit.click()
        await page.getByText('Password must be at least 8 characters', { exact: true }).waitFor()
        await examine(page, `${title}-setup-mistake`)
        await expectNoSideways(page)
      })
    })

    test('[spec 2 §4] needs the one-time token, shows the credentials once, and then asks to sign in', async () => {
      const early = await given.open({ path: '/' })
      early.expects(refusedAnswer)
      await setup(early.page).title.waitFor()
      expect(await early.page.title()).toBe('Set up Pulse · Pulse')
      await setup(early.page).token.fill('0'.repeat(32))
      await setup(early.page).submit.click()
      await expectText(entry(early.page).message).toBe(wrongToken)

      const token = fs.readFileSync(tokenFile(), 'utf8').trim()
      const visit = await given.open({ path: `/#setup=${token}` })
      visit.expects(refusedAnswer)
      const { page } = visit
      const door = entry(page)
      expect(await setup(page).token.inputValue()).toBe(token)
      // the browser reports a changed address to its driver with a delay
      await expect.poll(() => page.url()).toBe(`${given.estate.url}/`)
      await setup(page).submit.click()
      await page.getByRole('heading', { name: 'Save your credentials' }).waitFor()
      const shown = async (label: string) => page.getByLabel(label, { exact: true }).inputValue()
      const credentials = { username: await shown('Username'), password: await shown('Password') }
      const apiToken = await shown('API token')
      expect(credentials.username).toBe('admin')
      expect(credentials.password).toMatch(/^[A-Za-z0-9_-]{16}$/)
      expect(apiToken).toMatch(/^[0-9a-f]{48}$/)
      expect(fs.existsSync(tokenFile())).toBe(false)
      await examine(page, 'light-1440-setup-credentials')

      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download as text file' }).click(),
      ])
      expect(file.suggestedFilename()).toMatch(/^pulse-credentials-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.txt$/)
      const lines = fs.readFileSync(await downloaded(file), 'utf8').split('\n')
      expect(lines.slice(0, 6)).toEqual([
        'Pulse credentials',
        '',
        `Address:   ${given.estate.url}`,
        `Username:  ${credentials.username}`,
        `Password:  ${credentials.password}`,
        `API token: ${apiToken}`,
      ])

      await page.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('heading', { name: 'No Proxmox VE nodes configured' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/proxmox/overview')
      await door.user('admin').waitFor()
      expect(await page.content()).not.toContain(credentials.password)

      // A user whose setup page is still open is too late, even with the right token.
      await setup(early.page).token.fill(token)
      await setup(early.page).submit.click()
      await expectText(entry(early.page).message).toBe(alreadyDone)
      await early.page.reload()
      await entry(early.page).title.waitFor()

      await door.logout.click()
      await door.title.waitFor()
      await door.signIn(credentials)
      await door.user('admin').waitFor()

      const state = (headers: Record<string, string>) =>
        fetch(`${given.estate.url}/api/state`, { headers }).then(({ status }) => status)
      expect(await state({ 'X-API-Token': apiToken })).toBe(200)
      expect(await state({ 'X-API-Token': token })).toBe(401)
      expect(await state({})).toBe(401)
    })
  },
  { fresh: true, connected: false },
)
