import { type AlertConfig, getAlertConfig } from '@pulse/contract'
import { type SmtpSink, startSmtpSink } from '@pulse/lab'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { entry, refusedAnswer } from './entry.ts'
import { account } from './estate.ts'
import { examine } from './examine.ts'
import { journeys } from './journey.ts'
import { expectText, overview } from './overview.ts'
import type { Past } from './past.ts'
import { expectNoSideways, screens } from './screens.ts'

const vmid = 101
const name = 'db01'
const message = `CPU of ${name} is at 97% (threshold 80%)`
let mail: SmtpSink

/** Ten hours ago a guest was busy for a quarter of an hour. Then the machine slept until a moment ago. */
const past: Past = {
  activate: true,
  async prepare(call, control) {
    control.patchGuest(vmid, { cpu: 0.2 })
    mail = await startSmtpSink()
    await call('PUT', '/api/notifications/outbound', { allowedHosts: [mail.host] })
    await call('PUT', '/api/notifications/email', {
      enabled: true,
      server: mail.host,
      port: mail.port,
      tls: false,
      startTLS: false,
      from: 'pulse@example.com',
      to: ['ann@example.com'],
    })
  },
  parts: [
    { minutesAgo: 610, minutes: 12 },
    { minutesAgo: 598, minutes: 15.5, happen: (control) => void control.patchGuest(vmid, { cpu: 0.97 }) },
    { minutesAgo: 582.5, minutes: 12, happen: (control) => void control.patchGuest(vmid, { cpu: 0.2 }) },
    { minutesAgo: 8, minutes: 8 },
  ],
}

journeys(
  'last night',
  (given) => {
    afterAll(() => (mail as SmtpSink | undefined)?.close())

    test('an alert of last night, from the link in its mail over the page of then and its chart to a better threshold', async () => {
      const { estate } = given
      const link = linkInMail()
      expect(link.origin).toBe(estate.url)
      const { page, expects } = await given.open({ path: link.href, signedOut: true })
      expects(refusedAnswer)

      await entry(page).signIn(account)
      const alerts = page.getByRole('grid', { name: 'Alert history' })
      const alert = alerts.getByRole('row').filter({ hasText: message })
      await alert.waitFor()
      expect(page.url()).toBe(link.href)
      expect((await alert.getByRole('gridcell').allInnerTexts()).slice(1)).toEqual([
        name,
        'VM',
        'Critical',
        message,
        '15m',
        'Resolved',
        'pve2',
      ])
      await page.getByText(/^1 of \d+ alerts$/).waitFor()

      // the page of then
      const writes: string[] = []
      page.on('request', (request) => void (request.method() !== 'GET' && writes.push(request.url())))
      await alert.getByRole('link', { name: /, show the page at that time$/ }).click()
      const at = Number(link.searchParams.get('from')) + 2 * 60_000
      const mark = page.getByRole('region', { name: 'The page shows the past' })
      await expectText(mark.getByRole('status')).toMatch(new RegExp(`^${clockOf(at)} (yesterday|today)$`))
      expect(new URL(page.url()).searchParams.get('at')).toBe(String(at))
      const view = overview(page)
      await expectText(view.cell(vmid, 'CPU')).toBe('97.0%')
      await page.getByRole('link', { name: /^Alerts/ }).click()
      const active = page.getByRole('grid', { name: 'Active alerts' }).getByRole('row')
      const firing = active.filter({ hasText: message })
      await firing.waitFor()
      for (const control of [
        page.getByRole('switch', { name: 'Alerts enabled' }),
        page.getByRole('button', { name: 'Snooze alerts' }),
        firing.getByRole('button', { name: /^Acknowledge / }),
      ])
        expect(await control.isDisabled()).toBe(true)

      // the chart says why
      await page.goBack()
      await view.guest(vmid).hover()
      await view
        .guest(vmid)
        .getByRole('link', { name: `Page of ${name}` })
        .click()
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
      const figures = page.getByRole('region', { name: 'Current figures' })
      await expectText(figures).toContain('97.0%')
      const charts = page.getByRole('group', { name: `History of ${name}` })
      await expectText(charts.getByRole('figure', { name: 'CPU' })).toContain('Alert at 80%')
      await expectText(charts.getByRole('list', { name: 'Alerts' })).toContain(message)
      await charts.getByRole('button', { name: 'Show as table' }).click()
      await expect.poll(() => cpuInTable(page)).toEqual({ newest: '97.0%', oldest: '20.0%', most: 97 })
      expect(writes).toEqual([])

      await mark.getByRole('button', { name: 'Back to now' }).click()
      await mark.waitFor({ state: 'detached' })
      await expectText(figures).toContain('20.0%')

      // another threshold
      await page.getByRole('link', { name: /^Alerts/ }).click()
      await page.getByRole('link', { name: 'Thresholds' }).click()
      await page.getByRole('textbox', { name: 'Search resources' }).fill(name)
      const cell = page.getByRole('button', { name: new RegExp(`^CPU % of ${name}: `) })
      const backTest = page.getByRole('region', { name: 'Back-test of CPU %' })
      await setTo(page, 90)
      // Ten hours, less what the server of then took to start: simulated time passes meanwhile.
      await expectText(backTest.getByRole('status')).toMatch(
        /^Over the last (?:9|10) h this would have fired once, for 1 guest: 15 min in total\. 2 messages to each channel\./,
      )
      expect(await backTest.getByRole('list', { name: 'Most alerts' }).innerText()).toMatch(
        new RegExp(`^${name}\\s+1×\\s+15 min$`),
      )
      // the answer is in the window, and does not cover what is edited
      const [edited, answer] = [(await cell.boundingBox())!, (await backTest.boundingBox())!]
      expect(edited.y + edited.height).toBeLessThanOrEqual(answer.y)
      expect(answer.y + answer.height).toBeLessThanOrEqual(page.viewportSize()!.height)
      const days = backTest.getByRole('list', { name: 'Alerts per day' }).getByRole('listitem')
      const perDay = await days.evaluateAll((all) => all.map((day) => day.getAttribute('aria-label')!))
      expect(perDay.filter((text) => !text.endsWith(': 0'))).toEqual([expect.stringMatching(/^\w+ \d+: 1$/)])

      await setTo(page, 98)
      await expectText(backTest.getByRole('status')).toMatch(
        /^Over the last (?:9|10) h this would not have fired\./,
      )
      expect(await backTest.getByText(name).count()).toBe(0)

      const unsaved = page.getByText('You have unsaved changes')
      expect(await unsaved.isVisible()).toBe(true)
      await page.getByRole('button', { name: 'Save Changes' }).click()
      await page.getByText('Configuration saved successfully!').waitFor()
      await unsaved.waitFor({ state: 'detached' })
      const { overrides } = (await estate.call('GET', getAlertConfig.path)) as AlertConfig
      expect(overrides).toEqual({ 'prod-pve2-101': { cpu: { trigger: 98, clear: 93 } } })
      await page.reload()
      await expect.poll(() => cell.getAttribute('aria-label')).toBe(`CPU % of ${name}: 98`)
    })

    test.each(screens)('the page that the mail opens fits and is accessible: $title', async (screen) => {
      const { page } = await given.open({ ...screen, path: linkInMail().href })
      await page.getByText(message).waitFor()
      await page.getByText('Filtered Range').waitFor()
      await expectNoSideways(page)
      await examine(page, `alert-of-mail-${screen.title}`)
    })
  },
  { lab: { nodes: 2, guests: 12 }, past },
)

/** The link to the alert as the mail's text has it. */
function linkInMail(): URL {
  const alerts = mail.received().flatMap(({ text }) => text.split(/\r?\n\r?\n/))
  const alert = alerts.find((text) => text.includes(message))
  return new URL(/Open alert: (.*)$/m.exec(alert ?? '')?.[1] ?? '')
}

/** Types another threshold of the guest. */
async function setTo(page: Page, trigger: number) {
  await page.getByRole('button', { name: new RegExp(`^CPU % of ${name}: `) }).click()
  await page.getByRole('textbox', { name: `CPU % of ${name}` }).fill(String(trigger))
  await page.keyboard.press('Enter')
}

/** The column of the CPU in the table of the charts, which begins with the newest figures. */
async function cpuInTable(page: Page) {
  const rows = page.getByRole('table', { name: `History of ${name}` }).getByRole('row')
  const texts = await rows.evaluateAll((all) =>
    all.map((row) => row.querySelector('td:not([colspan])')?.textContent).filter((text) => text),
  )
  return { newest: texts[0], oldest: texts.at(-1), most: Math.max(...texts.map((text) => parseFloat(text!))) }
}

/** as the page shows it */
const clockOf = (at: number) =>
  new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', timeStyle: 'short' }).format(at)
