import type { Lab } from '@pulse/lab'
import https from 'node:https'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { formatBytes } from '../apps/web/src/lib/format.ts'
import { within } from '../scripts/test-limits.ts'
import { examine } from './examine.ts'
import { journeys } from './journey.ts'
import { expectText, overview } from './overview.ts'
import { expectNoSideways, screens } from './screens.ts'

/** The first look at all storages of a busy lab. */
const readMs = 120_000
const noSpace = 'job failed: no space left on device'

function backups(page: Page) {
  const nodes = page.getByRole('grid', { name: 'Nodes and backup servers' })
  const table = page.getByRole('treegrid', { name: 'Backups' })
  const protection = page.getByRole('grid', { name: 'Protection of guests' })
  return {
    nodes,
    table,
    rows: table.locator('[data-row^="backup:"]'),
    search: page.getByRole('textbox', { name: 'Search backups' }),
    countOf: (name: string) =>
      nodes
        .getByRole('row')
        .filter({ has: page.getByRole('link', { name: `${name}, open web interface` }) })
        .getByRole('gridcell')
        .last(),
    guest: (vmid: number) => protection.locator(`[data-row$=":${vmid}"]`),
    tab: (name: RegExp) => page.getByRole('tab', { name }),
  }
}

interface LabSnapshot {
  'backup-type': string
  'backup-id': string
  'backup-time': number
  size?: number
  files: unknown[]
  verification?: { state: string }
}

/** What the lab's backup server answers to the account that the product has. */
async function ask<T>(lab: Lab, where: string): Promise<T> {
  const [server] = lab.pbs
  const { tokenId, tokenSecret } = server!.credentials
  const text = await new Promise<string>((resolve, reject) => {
    https
      .get(
        `${server!.url}/api2/json${where}`,
        { rejectUnauthorized: false, headers: { authorization: `PBSAPIToken=${tokenId}:${tokenSecret}` } },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('end', () => resolve(Buffer.concat(chunks).toString()))
        },
      )
      .on('error', reject)
  })
  return (JSON.parse(text) as { data: T }).data
}

const snapshotsIn = (lab: Lab, store: string, ns: string) =>
  ask<LabSnapshot[]>(lab, `/admin/datastore/${store}/snapshots?ns=${encodeURIComponent(ns)}`)

/** Of all datastores and namespaces; what is still being written is none yet. */
async function finishedSnapshots(lab: Lab): Promise<number> {
  let count = 0
  for (const { store } of await ask<{ store: string }[]>(lab, '/admin/datastore')) {
    for (const { ns } of await ask<{ ns: string }[]>(lab, `/admin/datastore/${store}/namespace`))
      count += (await snapshotsIn(lab, store, ns)).filter(({ size }) => size !== undefined).length
  }
  return count
}

journeys(
  'the Backups page',
  (given) => {
    test('[spec 1 §2] shows what the lab keeps: by server, one by one, and in the details of a guest', async () => {
      const { lab } = given.estate
      const { page } = await given.open({ path: '/backups', height: 1_400 })
      const view = backups(page)
      await view.rows.first().waitFor({ timeout: within(readMs) })
      expect(new URL(page.url()).pathname).toBe('/proxmox/backups')
      const held = await finishedSnapshots(lab)
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

    test('the slice is asked for while the page is open, and given back', async () => {
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

    test('who is not well protected is told with the word and the error of the lab', async () => {
      const { page } = await given.open({ path: '/proxmox/backups', height: 1_400 })
      const view = backups(page)
      await view.tab(/^Protection \(\d+\)/).click({ timeout: within(readMs) })
      await expectText(view.guest(104), readMs).toContain('Failed')
      await expectText(view.guest(104)).toContain(noSpace)
      await expectText(view.guest(111)).toContain('No backup')
      await expectText(view.guest(111)).toContain('In no job')
      await expectText(view.guest(123)).toContain('Broken')
      const failures = page.getByRole('grid', { name: 'Failed runs and jobs' })
      await expectText(failures.getByRole('row').filter({ hasText: 'Guest 104' }).first()).toContain(noSpace)
      await page.getByRole('grid', { name: 'Replication jobs' }).waitFor()
    })

    for (const { title, ...screen } of screens)
      test(`keeps nobody from using it: ${title}`, async () => {
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
  },
  {
    lab: { nodes: 3, guests: 45, pbs: 1, pmg: 1 },
    prepare: ({ lab }) => {
      lab.control.patchGuest(104, { backup: { fails: noSpace } })
      lab.control.patchGuest(111, { backup: { none: true } })
      lab.control.patchGuest(123, { backup: { verification: 'failed' } })
    },
  },
)
