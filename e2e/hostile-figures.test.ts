import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import { backups } from './backups.ts'
import { expectHarmless } from './hostile-texts/harmless.ts'
import { oddTexts, payloads } from './hostile-texts/payloads.ts'
import { journeys } from './journey.ts'
import { overview, shownGuests } from './overview.ts'
import { expectNoSideways } from './screens.ts'

const hostile = [...payloads(36), ...oddTexts]
const tall = { height: 4_000 }
const screens = [
  { title: 'desktop', width: 1440 },
  { title: 'phone', width: 380 },
]
/** The server reads backups, runs and jobs one after the other. */
const firstMs = 120_000
/** the beginning of a text, which no column and no collector limit cuts off */
const begun = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 24)

/** The number of texts on the page or in its tooltips. */
async function countShown(page: Page): Promise<number> {
  const shown = await page.evaluate(() => {
    const tips = [...document.querySelectorAll<HTMLElement>('[data-tip]')].map((one) => one.dataset['tip'])
    return [document.body.textContent, ...tips].join(' ').replaceAll(/\s+/g, ' ')
  })
  return hostile.filter((text) => shown.includes(begun(text))).length
}

const expectShown = (page: Page, least: number) =>
  expect.poll(() => countShown(page), { timeout: within(firstMs) }).toBeGreaterThanOrEqual(least)

/** All rows have the same height, so no text has changed the height of its row. */
async function expectEven(page: Page, rows: string): Promise<void> {
  // finds and measures in one call, because a row that left the page in between would measure 0
  const heights = await page.evaluate(
    (selector) => [
      ...new Set(
        [...document.querySelectorAll<HTMLElement>(selector)].map(({ offsetHeight }) => offsetHeight),
      ),
    ],
    rows,
  )
  expect(heights).toHaveLength(1)
}

journeys(
  'texts of others about backups and mail',
  (given) => {
    const harmless = (page: Page) => expectHarmless(page, given.estate.url)

    test.each(screens)('[S14] on Backups they stay text: $title', async ({ width }) => {
      const { page } = await given.open({ path: '/proxmox/backups', width, ...tall })
      await backups(page)
        .rows.first()
        .waitFor({ timeout: within(firstMs) })
      // names of guests, comments, notes and owners
      await expectShown(page, 20)
      await expectEven(page, '[data-row^="backup:"]')
      await expectNoSideways(page)
      await harmless(page)
      await page.getByRole('radio', { name: 'By Guest' }).check({ force: true })
      await expectEven(page, '[data-row^="head:"]')
      for (const text of hostile) await backups(page).search.fill(text)
      await backups(page).search.press('Enter')
      await expectNoSideways(page)
      await harmless(page)
    })

    test('[S14] in tooltips of Backups they stay text, without markup', async () => {
      const { page } = await given.open({ path: '/proxmox/backups', ...tall })
      await expectShown(page, 20)
      // the name of a backup, and its comment below
      const tips = page.locator('[data-row^="backup:"] [data-tip*=".000Z"][data-tip*="<"]')
      const tip = page.getByRole('tooltip')
      // while backups arrive, a row may move away from the pointer
      const point = async (n: number) => {
        await page.mouse.move(0, 0)
        await tips.nth(n).hover()
        return tip.waitFor({ timeout: within(3_000) }).then(
          () => tip.textContent(),
          () => undefined,
        )
      }
      for (const n of [0, 1, 2]) {
        await expect.poll(() => point(n), { timeout: within(60_000) }).toContain('.000Z')
        await harmless(page)
      }
    })

    test.each(screens)('[S14] under Protection, names and errors stay text: $title', async ({ width }) => {
      const { page } = await given.open({ path: '/proxmox/backups', width, ...tall })
      await backups(page)
        .tab(/^Protection/)
        .click({ timeout: within(firstMs) })
      await page.getByRole('heading', { name: 'Failed runs and jobs' }).waitFor({ timeout: within(firstMs) })
      await expectShown(page, hostile.length)
      await expectEven(page, '[data-row^="guest:"]')
      await expectEven(page, '[data-row^="failure:"]')
      await expectNoSideways(page)
      await harmless(page)
    })

    test.each(screens)('[S14] on Mail Gateway they stay text: $title', async ({ width }) => {
      const { page } = await given.open({ path: '/proxmox/mail', width, ...tall })
      await page.getByRole('heading', { name: 'Domains' }).waitFor({ timeout: within(firstMs) })
      // roles, loads, domains, and errors about data that cannot be read
      await expectShown(page, 4)
      await page.getByRole('list', { name: 'Cannot be read' }).getByText('onerror=alert(2)').first().waitFor()
      await expectNoSideways(page)
      await harmless(page)
    })

    test('a guest with 300 tags has a row like others', async () => {
      const { page } = await given.open({ ...tall, stored: { dashboardGroupingMode: 'flat' } })
      await overview(page).ready()
      // PVE truncates its own list of tags after a few hundred
      await page
        .getByText(/^\+\d{3}$/)
        .first()
        .waitFor()
      await expectEven(page, '[data-row^="guest:"]')
      await expectNoSideways(page)
    })
  },
  {
    lab: { nodes: 2, guests: hostile.length + 12, pbs: 1, pmg: 1 },
    connected: false,
    async prepare({ lab, call, connect }) {
      const { control } = lab
      const [pbs, pmg] = [lab.pbs[0]!.name, lab.pmg[0]!.name]
      const guests = shownGuests(lab)
      hostile.forEach((name, i) => control.patchGuest(guests[i]!.vmid, { name }))
      const tags = Array.from({ length: 300 }, (_, i) => `tag${i}`).join(';')
      control.patchGuest(guests[hostile.length]!.vmid, { tags })
      const bend = (path: string, fields: string[], node?: string) =>
        control.addFault({ kind: 'texts', path, fields, texts: hostile, ...(node && { node }) })
      bend('/admin/datastore/*/snapshots', ['comment', 'owner'], pbs)
      bend('/admin/datastore/*/namespace', ['comment'], pbs)
      for (const kind of ['sync', 'verify', 'prune', 'gc'])
        bend(`/admin/${kind}`, ['last-run-state', 'remote', 'remote-store', 'schedule'], pbs)
      bend('/nodes/*/tasks', ['status', 'worker_id'])
      bend('/nodes/*/storage/*/content', ['notes'])
      bend('/nodes/*/snapshot', ['description'])
      bend('/nodes/*/replication', ['error', 'schedule'])
      // the fields of a list are its indexes: here, the loads
      bend('/config/cluster/status', ['type', 'conn_error', '0', '1', '2'], pmg)
      bend('/statistics/domains', ['domain'], pmg)
      control.addFault({ kind: 'status', status: 500, node: pmg, path: '/quarantine/*', text: hostile[1]! })
      await connect()
      const known = (await call('GET', '/api/config/nodes')) as {
        id: string
        type: string
        name: string
        host: string
      }[]
      const { id, ...gateway } = known.find(({ type }) => type === 'pmg')!
      const { type, name, host } = gateway
      await call('PUT', `/api/config/nodes/${id}`, { type, name, host, monitorDomainStats: true })
      await call('POST', '/api/system/settings/update', { pmgPollingInterval: 10, pbsPollingInterval: 10 })
    },
  },
)
