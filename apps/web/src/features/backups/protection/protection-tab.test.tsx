// @vitest-environment happy-dom
import {
  aBackupRun,
  aGuest,
  aNode,
  aPbsBackup,
  aPbsServer,
  aProtection,
  aReplicationJob,
} from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aLive } from '../../../live/fake-live.ts'
import { renderInApp } from '../../../parts/fake-app.tsx'
import { aRouter } from '../../../ui/router/fake-history.ts'
import { BackupsPage } from '../page.tsx'

const NOW = Date.UTC(2026, 0, 15, 12)
const HOUR = 3_600_000
const at = NOW - 5 * HOUR

const inVault = { at, instance: 'vault', datastore: 'main', namespace: 'prod' }

const protections = {
  'main:100': aProtection({ vmid: 100, newest: { ...inVault, verification: 'ok' } }),
  'main:101': aProtection({ vmid: 101, newest: undefined }),
  'main:102': aProtection({
    vmid: 102,
    newest: { at, instance: 'main', storage: 'nas' },
    failed: { at: NOW - HOUR, error: 'job failed: no space left on device' },
  }),
  'main:103': aProtection({
    vmid: 103,
    newest: { ...inVault, verification: 'failed' },
    newestGood: { ...inVault, at: at - 48 * HOUR, verification: 'ok' },
  }),
  'main:104': aProtection({ vmid: 104, inJob: false, newest: { ...inVault, verification: 'never' } }),
  'main:105': aProtection({ vmid: 105, newest: undefined, ambiguous: inVault }),
}

const guests = Object.fromEntries(
  [100, 101, 102, 103, 104, 105].map((vmid) => [`main:${vmid}`, aGuest({ vmid, name: `guest-${vmid}` })]),
)

type Given = Parameters<typeof aLive>[0] & {}

async function given(more: Given = {}, router = aRouter()) {
  const pbsBackups = { read: aPbsBackup() }
  const live = aLive(
    { nodes: { n: aNode() }, guests, protections, pbsBackups, ...more },
    { loadedSlices: ['backups'] },
  )
  await renderInApp(<BackupsPage />, { live, router })
  await act(async () => void fireEvent.click(screen.getByRole('tab', { name: /^Protection/ })))
  return live
}

const table = () => screen.getByRole('grid', { name: 'Protection of guests' })
const cells = (vmid: number) =>
  within(table().querySelector<HTMLElement>(`[data-row="guest:main:${vmid}"]`)!)
    .getAllByRole('gridcell')
    // the ellipsis for truncated words is hidden by a stylesheet that tests do not load
    .map((one) => one.textContent.replace(/…$/, ''))
const vmids = () =>
  [...table().querySelectorAll<HTMLElement>('[data-row]')].map((one) => Number(one.dataset['row']!.slice(-3)))
const figure = (name: RegExp) =>
  within(screen.getByRole('list', { name: 'Guests by protection' })).getByRole('button', { name })

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  vi.stubGlobal('scrollTo', () => {})
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('every guest has its newest good backup, where it is, whether it is verified and in a job', () => {
  test('a guest that is well', async () => {
    await given()
    expect(cells(100)).toEqual([
      '100',
      'guest-100VM',
      'Protected',
      '5 hours ago',
      'vault: main/prod',
      'Verified',
      'In a job',
      '',
    ])
  })

  test.each([
    [101, 'No backup', 'None', '—', ''],
    [102, 'Failed', '5 hours ago', 'main: nas', '1 hour ago: job failed: no space left on device'],
    [
      103,
      'Verification failed',
      '2 days ago',
      'vault: main/prod',
      '5 hours ago: newest backup failed verification',
    ],
    [104, 'UnverifiedNo backup job', '5 hours ago', 'vault: main/prod', ''],
    [
      105,
      'No backupAmbiguous',
      'None',
      '—',
      "One from 5 hours ago on vault: main/prod may be another guest's.",
    ],
  ])('%i is %s', async (vmid, words, newest, location, happened) => {
    await given()
    const [, , state, good, where, , , error] = cells(vmid)
    expect([state, good, where, error]).toEqual([words, newest, location, happened])
  })

  test('the worst come first, and each word leaves its guests', async () => {
    await given()
    expect(vmids().slice(0, 3)).toEqual([105, 101, 102])
    expect(vmids().at(-1)).toBe(100)
    expect(screen.getByRole('tab', { name: 'Protection' })).toBeDefined()
    fireEvent.click(figure(/^5 ?need attention/))
    expect(vmids()).not.toContain(100)
    fireEvent.click(figure(/^2 ?No backup/))
    expect(vmids().toSorted()).toEqual([101, 105])
    fireEvent.click(figure(/^2 ?No backup/))
    expect(vmids()).toHaveLength(6)
  })

  test('beside what is wrong nothing is green', async () => {
    await given()
    const row = (vmid: number) => document.querySelector(`[data-row$=":${vmid}"]`)!
    expect(row(100).querySelectorAll('.text-green')).toHaveLength(2)
    for (const vmid of [102, 103, 104]) expect(row(vmid).querySelectorAll('.text-green')).toHaveLength(0)
  })

  test('a backup dated in the future is less bad than none', async () => {
    const future = aProtection({ vmid: 106, newest: { ...inVault, future: true } })
    await given({ protections: { ...protections, 'main:106': future } })
    expect(cells(106)[2]).toMatch(/^Dated in the future/)
    expect(vmids().indexOf(106)).toBeGreaterThan(vmids().indexOf(103))
  })

  test('is searched by number, name, place and error', async () => {
    await given()
    const search = (value: string) =>
      act(
        async () =>
          void fireEvent.change(screen.getByRole('textbox', { name: 'Search guests' }), {
            target: { value },
          }),
      )
    await search('no space')
    expect(vmids()).toEqual([102])
    await search('guest-104')
    expect(vmids()).toEqual([104])
  })
})

test('its search and its order stand in the address beside those of the backups', async () => {
  const router = aRouter('/?search=vault&sort=vmid')
  await given({}, router)
  const search = () => router.view().location.search
  const name = () => within(table()).getByRole('columnheader', { name: /Name/ })
  await act(async () => void fireEvent.click(within(name()).getByRole('button')))
  const box = screen.getByRole<HTMLInputElement>('textbox', { name: 'Search guests' })
  await act(async () => void fireEvent.change(box, { target: { value: 'guest-104' } }))
  await act(() => vi.advanceTimersByTimeAsync(300))
  expect(search()).toBe(
    '?search=vault&sort=vmid&tab=protection&guestSort=name&guestOrder=asc&guest=guest-104',
  )
  expect(vmids()).toEqual([104])
  cleanup()
  await given({}, router)
  expect(vmids()).toEqual([104])
  expect(name().getAttribute('aria-sort')).toBe('ascending')
  await act(async () => void fireEvent.keyDown(document.body, { key: 'Escape' }))
  await act(() => vi.advanceTimersByTimeAsync(300))
  expect(search()).toBe('?search=vault&sort=vmid&tab=protection')
  expect(vmids()).toHaveLength(6)
})

describe('what failed says its error', () => {
  const server = aPbsServer({
    name: 'vault',
    syncJobs: [
      {
        id: 's-keep',
        store: 'main',
        status: 'failed',
        error: 'connection refused',
        lastSync: new Date(at).toISOString(),
      },
    ],
    verifyJobs: [
      { id: 'v-daily', store: 'main', status: 'ok' },
      { id: 'v-weekly', store: 'main', status: 'warning', error: 'WARNINGS: 1' },
      { id: 'v-again', store: 'main', status: 'running', error: 'WARNINGS: 2' },
      { id: 'v-off', store: 'main', status: 'disabled', error: 'WARNINGS: 3' },
    ],
    failedTasks: [
      {
        id: 'UPID:1',
        type: 'verificationjob',
        store: 'main',
        subject: 'main:vm/100',
        startTime: new Date(at).toISOString(),
        error: 'chunk is missing',
      },
    ],
  })
  const lines = () =>
    [
      ...screen
        .getByRole('grid', { name: 'Failed runs and jobs' })
        .querySelectorAll<HTMLElement>('[data-row]'),
    ].map((one) =>
      within(one)
        .getAllByRole('gridcell')
        .map((cell) => cell.textContent)
        .slice(1)
        .join(' | '),
    )

  test('runs of vzdump, for one guest and for several, jobs and tasks of backup servers', async () => {
    await given({
      pbs: { vault: server },
      pveBackups: {
        well: aBackupRun(),
        one: aBackupRun({ vmid: 102, error: 'no space left on device' }),
        several: aBackupRun({
          vmid: 0,
          upid: 'several',
          error: 'job errors',
          guests: [{ vmid: 103 }, { vmid: 104, error: 'got timeout' }],
        }),
      },
    })
    expect(lines().toSorted()).toEqual([
      'Backup | Guest 102 | pve1 | no space left on device',
      'Backup | Guest 104 | pve1 | got timeout',
      'Sync job | s-keep on main | vault | connection refused',
      'Verification | main:vm/100 | vault | chunk is missing',
    ])
  })

  test('goes when it is well again', async () => {
    const live = await given({ pbs: { vault: server } })
    expect(lines()).toHaveLength(2)
    act(() => live.put({ pbs: { vault: aPbsServer({ name: 'vault' }) } }))
    expect(screen.queryByRole('grid', { name: 'Failed runs and jobs' })).toBeNull()
  })
})

test('replication jobs say how they did last, the failing first', async () => {
  await given({
    replicationJobs: {
      'main:100-0': aReplicationJob({ vmid: 100, lastSync: NOW - HOUR }),
      'main:101-0': aReplicationJob({
        vmid: 101,
        failCount: 3,
        error: 'target is down',
        lastSync: undefined,
      }),
      'main:102-0': aReplicationJob({ vmid: 102, enabled: false }),
      'main:103-0': aReplicationJob({ vmid: 103, lastSync: undefined }),
    },
  })
  const lines = [
    ...screen.getByRole('grid', { name: 'Replication jobs' }).querySelectorAll<HTMLElement>('[data-row]'),
  ].map((one) =>
    within(one)
      .getAllByRole('gridcell')
      .map((cell) => cell.textContent),
  )
  expect(lines.map((line) => [line[0], line[1], line[2], line[3], line[6]])).toEqual([
    ['101-0', 'guest-101', 'pve1pve2', 'Failed 3 times', 'target is down'],
    ['103-0', 'guest-103', 'pve1pve2', 'Never synced', ''],
    ['100-0', 'guest-100', 'pve1pve2', 'OK', ''],
    ['102-0', 'guest-102', 'pve1pve2', 'Disabled', ''],
  ])
})

test('the search explains site: while there are sites', async () => {
  // the panel of tips is loaded when it is opened
  vi.useRealTimers()
  const source = { name: 'main', kind: 'pve', health: 'healthy' } as const
  const live = await given({ sources: { main: source } })
  expect(screen.queryByRole('button', { name: 'Search tips' })).toBeNull()
  act(() => live.put({ sources: { main: { ...source, site: 'Berlin' } } }))
  fireEvent.click(screen.getByRole('button', { name: 'Search tips' }))
  expect(await screen.findByText('guests of a site; site:main is where Pulse runs')).toBeDefined()
})
