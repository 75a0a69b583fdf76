import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { journeys } from './journey.ts'

type Open = (page: Page) => Promise<unknown>
type Form = readonly [title: string, path: string, open?: Open, isDialog?: 'dialog']

const press =
  (name: string | RegExp): Open =>
  (page) =>
    page.getByRole('button', { name }).first().click()
const go =
  (tab: string, then?: Open): Open =>
  async (page) => {
    await page
      .getByRole('tab', { name: tab })
      .or(page.getByRole('link', { name: tab }))
      .first()
      .click()
    await then?.(page)
  }
const inDialog = (page: Page) => page.getByRole('dialog').getByRole('button').nth(1).waitFor()

/** Every form, and how to open it. */
const forms: readonly Form[] = [
  ['Add a PVE node', '/settings/pve', press(/^Add/), 'dialog'],
  ['Edit a PVE node', '/settings/pve', press(/^Edit/), 'dialog'],
  ['Add a backup server', '/settings/pbs', press(/^Add/), 'dialog'],
  ['Edit a backup server', '/settings/pbs', press(/^Edit/), 'dialog'],
  ['Add a mail gateway', '/settings/pmg', press(/^Add/), 'dialog'],
  ['Edit a mail gateway', '/settings/pmg', press(/^Edit/), 'dialog'],
  ['Guest URLs', '/settings/urls'],
  ['Docker hosts', '/settings/docker'],
  ['System', '/settings/system'],
  ['Export', '/settings/system', press('Export'), 'dialog'],
  ['Import', '/settings/system', press('Import'), 'dialog'],
  ['New token', '/settings/security', go('API tokens', press('New token')), 'dialog'],
  ['Single sign-on', '/settings/security', go('Single sign-on')],
  ['Add user', '/settings/security', go('Users', press('Add user')), 'dialog'],
  ['Diagnostics', '/settings/diagnostics'],
  ['Thresholds', '/alerts/thresholds/proxmox'],
  ['Thresholds of Docker', '/alerts/thresholds/docker'],
  ['Destinations', '/alerts/destinations'],
  ['Add a webhook', '/alerts/destinations', press('Add Webhook'), 'dialog'],
  ['Schedule', '/alerts/schedule'],
]

journeys(
  'untouched forms',
  (given) => {
    for (const [title, path, open, isDialog] of forms)
      test(`${title} opens without a warning`, async () => {
        await given.estate.call('POST', '/api/alerts/activate')
        const { page } = await given.open({ path })
        await page.locator('#content h1').waitFor()
        await page.locator('#content .skeleton').first().waitFor({ state: 'detached' })
        await open?.(page)
        if (isDialog) await inDialog(page)
        // focusing its fields changes nothing either
        for (let field = 0; field < 6; field++) await page.keyboard.press('Tab')
        expect(await complaints(page)).toEqual([])
      })

    test('Destinations and Schedule with everything switched on have none either', async () => {
      await given.estate.call('POST', '/api/alerts/activate')
      for (const path of ['/alerts/destinations', '/alerts/schedule']) {
        const { page } = await given.open({ path })
        const off = page.locator('#content [role=switch][aria-checked=false]')
        await page.locator('#content [role=switch]').first().waitFor()
        await expect
          .poll(async () => {
            const first = off.first()
            if (await first.count()) await first.click()
            return off.count()
          })
          .toBe(0)
        expect(await complaints(page)).toEqual([])
      }
    })
  },
  { lab: { pbs: 1, pmg: 1 } },
)

/** Fields with errors, and their error texts. */
const complaints = (page: Page) =>
  page.evaluate(() => {
    const all = document.querySelectorAll(
      '[role=alert], [aria-invalid=true], p.text-red, span.text-red, p.text-orange, p.text-yellow, .bg-red-soft',
    )
    return [...all]
      .filter((one) => one.closest('#content, [role=dialog]') && one.checkVisibility())
      .map((one) => one.textContent || one.getAttribute('aria-label') || one.outerHTML)
  })
