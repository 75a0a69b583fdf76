import type { Lab } from '@pulse/lab'
import { expect, test } from 'vitest'
import { lastDays } from '../apps/web/src/parts/backups/backup-row.ts'
import { formatBytes, formatMoment } from '../apps/web/src/lib/format.ts'
import { within } from '../scripts/test-limits.ts'
import {
  askCluster,
  askServer,
  backups,
  countByDay,
  finishedSnapshots,
  keptInCluster,
  snapshotsIn,
  storesOf,
} from './backups.ts'
import { examine } from './examine.ts'
import { journeys } from './journey.ts'
import { expectText, overview } from './overview.ts'
import { expectNoSideways, screens } from './screens.ts'

/** The first read of all storages of a busy lab. */
const readMs = 120_000
const brokenJob = 'verification failed - please check the log for details'
const noSpace = 'job failed: no space left on device'

journeys(
  'the Backups page',
  (given) => {
    test('[spec 1 §2] shows what the lab keeps: by server, one by one, and in the details of a guest', async () => {
      const { lab } = given.estate
      const { page } = await given.open({ path: '/backups', height: 1_400 })
      const view = backups(page)
      await view.rows.first().waitFor({ timeout: within(readMs) })
      expect(new URL(page.url()).pathname).toBe('/proxmox/backups')
      const { length: held } = await finishedSnapshots(lab)
      await expectText(view.countOf(lab.pbs[0]!.name), readMs).toBe(held.toLocaleString('en-US'))

      const cluster = lab.clusters[0]!.name
      const newest = (await snapshotsIn(lab, 'main', cluster))
        .filter((one) => one['backup-id'] === '101' && one.size !== undefined)
        .toSorted((a, b) => b['backup-time'] - a['backup-time'])[0]!
      await view.search.fill(`pbs:${lab.pbs[0]!.name}:main:${cluster}, vmid:101`)
      const cells = view.rows.first().getByRole('gridcell')
      await expect.poll(() => cells.nth(8).innerText()).toBe(formatBytes(newest.size, 'en-US'))
      const texts = await cells.allInnerTexts()
      expect(texts[1]).toBe('101')
      expect(texts[2]).toBe(lab.control.guests().find(({ vmid }) => vmid === 101)!.name)
      expect(texts[9]).toBe(`main/${cluster}`)
      expect(texts[10]).toBe(newest.verification?.state === 'ok' ? 'Verified' : 'Unverified')
      const time = await view.rows.first().locator('time').getAttribute('datetime')
      expect(Date.parse(time!)).toBe(newest['backup-time'] * 1000)

      await page.getByRole('link', { name: 'Overview' }).click()
      const list = overview(page)
      await list.ready()
      await list.guest(101).click()
      const last = list.details(101).getByText('Last backup').locator('xpath=following-sibling::dd[1]')
      await expectText(last).toMatch(/ago$/)
    })

    test('[spec 1 §2] counts by day, by source and by node what the lab keeps, and the average deduplication', async () => {
      const { lab } = given.estate
      const { page } = await given.open({ path: '/proxmox/backups', width: 1440, height: 1_400 })
      const view = backups(page)
      await view.rows.first().waitFor({ timeout: within(readMs) })
      const choose = (source: string) =>
        page.getByRole('radio', { name: source, exact: true }).check({ force: true })
      const shown = async () => ({
        days: await view.days(),
        legend: (await view.legend.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ')),
      })
      const kept = async (source: 'PVE' | 'PBS') => {
        const days = lastDays(30, Date.now())
        const moments =
          source === 'PVE'
            ? (await keptInCluster(lab)).files.map(({ at }) => at)
            : (await finishedSnapshots(lab)).map((one) => one['backup-time'])
        const counts = countByDay(moments, days)
        const sum = Object.values(counts).reduce((total, one) => total + one, 0)
        const of = (one: string) => `${one} ${one === source ? sum.toLocaleString('en-US') : 0}`
        const average = `Average deduplication ${await deduplication()}x`
        return { days: counts, legend: [of('Snapshots'), of('PVE'), of('PBS'), average] }
      }
      const deduplication = async () => {
        const factors = []
        for (const { store } of await storesOf(lab)) {
          const found = await askServer<Record<'disk-bytes' | 'index-data-bytes', number>>(
            lab,
            `/admin/datastore/${store}/gc`,
          )
          if (found['disk-bytes'] > 0) factors.push(found['index-data-bytes'] / found['disk-bytes'])
        }
        const average = factors.reduce((total, one) => total + one, 0) / factors.length
        return average.toLocaleString('en-US', { maximumFractionDigits: 1 })
      }
      for (const source of ['PVE', 'PBS'] as const) {
        await choose(source)
        await expect
          .poll(async () => diff(await shown(), await kept(source)), {
            timeout: within(readMs),
            interval: 2_000,
          })
          .toEqual([])
      }
      await choose('All')
      const { files, snapshots } = await keptInCluster(lab)
      for (const { name } of lab.clusters[0]!.nodes) {
        const here = ({ node }: { node: string }) => node === name
        const count = Number(await view.countOf(name).innerText())
        // the server reads the snapshots of one guest after the other, over minutes
        expect(count).toBeGreaterThanOrEqual(files.filter(here).length)
        expect(count).toBeLessThanOrEqual([...files, ...snapshots].filter(here).length)
      }

      // every bar is drawn, even with many bars
      for (const range of ['30d', '1y']) {
        await page.getByRole('radio', { name: range }).check({ force: true })
        const sizes = await page.locator('[data-day]:not([data-level="none"]) > span').evaluateAll((bars) =>
          bars.map((bar) => {
            const { width, height } = bar.getBoundingClientRect()
            return { width, height }
          }),
        )
        expect(sizes.length).toBeGreaterThan(5)
        const least = range === '30d' ? 20 : 2
        expect(sizes.filter(({ width, height }) => width < least || height < 1)).toEqual([])
      }
    })

    test('the page subscribes to the backup records while it is open, and unsubscribes when it closes', async () => {
      const asked: string[] = []
      const { page } = await given.open({
        path: '/proxmox/backups',
        prepare: async (visit) => {
          visit.page.on('websocket', (socket) =>
            socket.on('framesent', ({ payload }) => {
              if (String(payload).includes('subscribe')) asked.push(String(payload))
            }),
          )
        },
      })
      await backups(page)
        .rows.first()
        .waitFor({ timeout: within(readMs) })
      await page.getByRole('link', { name: 'Overview' }).click()
      await overview(page).ready()
      await expect
        .poll(() => asked.map((text) => (JSON.parse(text) as { slices: string[] }).slices.join()))
        .toEqual(['live,backups', 'live'])
    })

    test('guests at risk are listed with the error that the lab reports', async () => {
      // tall enough for all lists: rows outside the window are not rendered
      const { page } = await given.open({ path: '/proxmox/backups', height: 4_000 })
      const view = backups(page)
      await view.tab(/^Protection/).click({ timeout: within(readMs) })
      await expectText(view.guest(104), readMs).toContain('Failed')
      await expectText(view.guest(104)).toContain(noSpace)
      await expectText(view.guest(111)).toContain('No backup')
      await expectText(view.guest(111)).toContain('No backup job')
      await expectText(view.guest(123)).toContain('Verification failed')
      const failures = page.getByRole('grid', { name: 'Failed runs and jobs' })
      const failure = (subject: string, error: string) =>
        failures.getByRole('row').filter({ hasText: subject }).filter({ hasText: error }).first()
      await failure('Guest 104', noSpace).waitFor({ timeout: within(readMs) })
      await failure('v-main-daily', brokenJob).waitFor({ timeout: within(readMs) })
    })

    test('replication jobs have the figures of the lab: the way, the last run, the next one and the error', async () => {
      const { lab } = given.estate
      const { page } = await given.open({ path: '/proxmox/backups', width: 1440, height: 2_400 })
      await backups(page)
        .tab(/^Protection/)
        .click({ timeout: within(readMs) })
      const rows = page.getByRole('grid', { name: 'Replication jobs' }).locator('[data-row]')
      await rows.first().waitFor({ timeout: within(readMs) })
      const shown = () =>
        rows.evaluateAll((all) =>
          all.map((row) => [
            ...[...row.querySelectorAll('[role="gridcell"]')].map((cell) => (cell as HTMLElement).innerText),
            row.querySelector('time')!.dateTime,
          ]),
        )
      const isOfLab = async () => {
        // the server reads them every few minutes, and they may have run again since
        const known = [...replicationsBefore, ...(await replications(lab))]
        return (await shown()).map(([id, name, way, state, , next, error, last]) => {
          const line = [id, name, ...way!.split(/\s+/), state, next, error, last].join(' | ')
          return known.includes(line) ? 'of the lab' : line
        })
      }
      await expect
        .poll(isOfLab, { timeout: within(readMs), interval: 2_000 })
        .toEqual((await replications(lab)).map(() => 'of the lab'))
      await expectText(rows.first()).toContain('Failed 3 times')
    })

    for (const { title, ...screen } of screens)
      test(`is accessible: ${title}`, async () => {
        const { page } = await given.open({ path: '/proxmox/backups', ...screen })
        const view = backups(page)
        await view.rows.first().waitFor({ timeout: within(readMs) })
        await examine(page, `${title}-backups`)
        await expectNoSideways(page)
        await view.tab(/^Protection/).click()
        await view.guest(104).waitFor()
        await examine(page, `${title}-protection`)
        await expectNoSideways(page)
      })

    test('a datastore that cannot be read keeps its backups, and the page says which one and why', async () => {
      const { lab } = given.estate
      const { page } = await given.open({ path: '/proxmox/backups', height: 1_400 })
      const view = backups(page)
      await view.search.fill(`pbs:${lab.pbs[0]!.name}:offsite:`, { timeout: within(readMs) })
      await view.rows.first().waitFor({ timeout: within(readMs) })
      const before = await view.countOf(lab.pbs[0]!.name).innerText()
      await lab.control.play('datastore-fails')
      const problems = page.getByRole('list', { name: 'Cannot be read' }).getByRole('listitem')
      await expectText(problems.first(), readMs).toMatch(/datastore offsite cannot be read/)
      await expectText(problems.first()).toContain('unable to open chunk store')
      expect(await view.rows.count()).toBeGreaterThan(0)
      expect(await view.countOf(lab.pbs[0]!.name).innerText()).toBe(before)
      await examine(page, 'light-1440-backups-datastore-fails')
      await lab.control.patchAppliance(lab.pbs[0]!.name, { datastores: { offsite: { error: null } } })
      await expect.poll(() => problems.count(), { timeout: within(readMs) }).toBe(0)
    })
  },
  {
    // no backup runs while the tests look
    lab: { nodes: 3, guests: 45, pbs: 1, pmg: 0, nightlyAtHour: (new Date().getUTCHours() + 12) % 24 },
    prepare: async ({ lab, call }) => {
      await call('POST', '/api/system/settings/update', { pbsPollingInterval: 10 })
      await lab.control.play('replication-fails')
      replicationsBefore = await replications(lab)
      await lab.control.patchAppliance(lab.pbs[0]!.name, { jobs: { 'v-main-daily': { state: brokenJob } } })
      lab.control.patchGuest(104, { backup: { fails: noSpace } })
      lab.control.patchGuest(111, { backup: { none: true } })
      lab.control.patchGuest(123, { backup: { verification: 'failed' } })
    },
  },
)

let replicationsBefore: readonly string[] = []

/** The text that the page must show for each replication. */
async function replications(lab: Lab): Promise<string[]> {
  const names = new Map(lab.control.guests().map(({ vmid, name }) => [vmid, name]))
  const lines = []
  for (const { name } of lab.clusters[0]!.nodes)
    for (const job of await askCluster<LabReplication[]>(lab, `/nodes/${name}/replication`))
      lines.push(
        [
          job.id,
          names.get(Number(job.guest)),
          job.source,
          job.target,
          job.fail_count > 0 ? `Failed ${job.fail_count} times` : 'OK',
          formatMoment(job.next_sync * 1000, 'en-US'),
          job.error ?? '',
          new Date(job.last_sync * 1000).toISOString(),
        ].join(' | '),
      )
  return lines
}

interface LabReplication {
  id: string
  guest: number | string
  source: string
  target: string
  fail_count: number
  next_sync: number
  last_sync: number
  error?: string
}

/** Differences between the page and the lab, as lines that a failed test prints. */
function diff(shown: object, kept: object): string[] {
  const [one, other] = [shown, kept].map((all) =>
    Object.entries(all).flatMap(([name, value]: [string, object]) =>
      Object.entries(value).map(([key, entry]) => `${name} ${key}: ${JSON.stringify(entry)}`),
    ),
  )
  return [
    ...one!.filter((line) => !other!.includes(line)).map((line) => `page: ${line}`),
    ...other!.filter((line) => !one!.includes(line)).map((line) => `lab: ${line}`),
  ]
}
