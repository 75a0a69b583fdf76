import type { Page } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import { codeAway, entry, refusedAnswer, refusedSocket, serverUnreachable, startingUp } from '../entry.ts'
import { account } from '../estate.ts'
import type { Given } from '../journey.ts'
import { expectText, overview } from '../overview.ts'
import { securityPage, securityPath } from '../security-page.ts'
import { addPerson } from './people.ts'

const ended = 'Your session has ended. Sign in again to go on.'

export function sessions(given: Given): void {
  describe('a session', () => {
    afterEach(() => given.estate.startServer())

    test('[S3] survives a restart of the server, with the page open', async () => {
      const visit = await given.open()
      visit.expects(refusedSocket)
      visit.expects(serverUnreachable)
      visit.expects(startingUp)
      visit.expects(codeAway)
      const { page } = visit
      const view = overview(page)
      await view.ready()
      await page.evaluate(() => Object.assign(globalThis, { loadedOnce: true }))
      await given.estate.stopServer()
      await expectText(view.connection).toBe('Reconnecting...')
      await given.estate.startServer()
      await expectText(view.connection, 20_000).toBe('Connected')
      await entry(page).user(account.username).waitFor()
      expect(await page.evaluate(() => 'loadedOnce' in globalThis)).toBe(true)

      await page.reload()
      await view.ready()
    })

    test('[S3] ends within 2 s when its user changes the password elsewhere', async () => {
      const person = await addPerson(given, 'paula', 'viewer')
      const here = await given.open({ as: person })
      here.expects(refusedAnswer)
      await overview(here.page).ready()
      const { page, expects } = await given.open({ as: person, path: securityPath })
      expects(refusedAnswer)
      const security = securityPage(page)
      await page.getByRole('button', { name: 'Change password' }).click()
      const dialog = security.dialog('Change password')
      await dialog.getByLabel('Current password').fill(person.password)
      await dialog.getByLabel('New password', { exact: true }).fill('a newer password')
      await dialog.getByLabel('Confirm new password').fill('a newer password')
      const answered = page.waitForResponse('**/api/security/change-password')
      await dialog.getByRole('button', { name: 'Change password' }).click()
      await answered
      await expectLoginSoon(here.page)
      expect(await here.page.getByRole('treegrid').count()).toBe(0)
    })

    test.each([
      { name: 'otto', what: 'is removed', method: 'DELETE' },
      { name: 'rolf', what: 'gets another role', method: 'PUT', body: { role: 'viewer' } },
      {
        name: 'petra',
        what: 'gets another password',
        method: 'PUT',
        body: { password: 'set by an administrator' },
      },
    ])('[S3] ends within 2 s when its user $what', async ({ name, method, body }) => {
      const person = await addPerson(given, name, 'admin')
      const visit = await given.open({ as: person, path: securityPath })
      visit.expects(refusedAnswer)
      await securityPage(visit.page).ready()
      await given.estate.call(method, `/api/security/users/${person.id}`, body)
      await expectLoginSoon(visit.page)
      expect(await visit.page.getByRole('table').count()).toBe(0)
    })

    test('[S3] ends in every tab of a browser when one tab logs out', async () => {
      const { page, expects } = await given.open()
      expects(refusedAnswer)
      await overview(page).ready()
      const other = await page.context().newPage()
      await other.goto(given.estate.url)
      await overview(other).ready()
      await entry(other).logout.click()
      await entry(other).title.waitFor()
      await expectLoginSoon(page)
    })
  })
}

async function expectLoginSoon(page: Page) {
  await entry(page).title.waitFor()
  await expectText(entry(page).notice).toBe(ended)
}
