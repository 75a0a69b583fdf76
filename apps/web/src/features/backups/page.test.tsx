// @vitest-environment happy-dom
import {
  aGuest,
  aNode,
  aPbsBackup,
  aPbsServer,
  aPmgBackup,
  aProtection,
  aSnapshot,
  aStorageBackup,
} from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Connection } from '../../live/connection.ts'
import { aLive } from '../../live/fake-live.ts'
import { renderInApp } from '../../parts/fake-app.tsx'
import { BackupsPage } from './page.tsx'

type Given = Parameters<typeof aLive>[0] & {}

const GB = 1024 ** 3
const NOW = new Date(2026, 0, 15, 12).getTime()
const HOUR = 3_600_000
const ago = (hours: number) => new Date(NOW - hours * HOUR).toISOString()

const estate: Given = {
  sources: { main: { name: 'main', kind: 'pve', health: 'healthy' } },
  nodes: { n1: aNode(), n2: aNode({ node: 'pve2' }) },
  pbs: { backup: aPbsServer() },
  guests: {
    'main:100': aGuest({ vmid: 100, name: 'web' }),
    'main:105': aGuest({ vmid: 105, name: 'db', type: 'lxc' }),
  },
  pveBackups: {
    snap: aSnapshot({ time: ago(1) }),
    file: aStorageBackup({
      vmid: 105,
      type: 'lxc',
      ctime: (NOW - 4 * 24 * HOUR) / 1000,
      size: 6 * GB,
      node: 'pve2',
    }),
  },
  pbsBackups: {
    deep: aPbsBackup({ backupTime: ago(8 * 24), size: 30 * GB, namespace: 'prod' }),
    root: aPbsBackup({
      backupTime: ago(40 * 24),
      size: 60 * GB,
      namespace: 'root',
      verified: false,
      verification: undefined,
    }),
  },
  datastores: {
    one: {
      server: 'pbs-backup',
      name: 'main',
      status: 'available',
      deduplicationFactor: 12,
      source: 'backup',
    },
    two: {
      server: 'pbs-backup',
      name: 'other',
      status: 'available',
      deduplicationFactor: 8,
      source: 'backup',
    },
  },
  protections: {
    'main:100': aProtection({ vmid: 100 }),
    'main:105': aProtection({ vmid: 105, inJob: false }),
  },
}

const held = { held: ['backups'] as const }

async function given(records: Given = estate, connection: Partial<Connection> = held) {
  const live = aLive(records, connection)
  const asked: string[] = []
  const subscribeSlice = (slice: string) => {
    asked.push(`+${slice}`)
    return () => void asked.push(`-${slice}`)
  }
  const view = await renderInApp(<BackupsPage />, { live: Object.assign(live, { subscribeSlice }) })
  return { ...view, live, asked }
}

const table = () => screen.getByRole('treegrid', { name: 'Backups' })
const rows = () =>
  [...table().querySelectorAll<HTMLElement>('[data-row^="backup:"]')].map((one) =>
    one.dataset['row']!.slice(7),
  )
const row = (id: string) => table().querySelector<HTMLElement>(`[data-row="backup:${id}"]`)!
const cells = (id: string) =>
  within(row(id))
    .getAllByRole('gridcell')
    .map((one) => one.textContent)
const choose = (name: string, group: string) =>
  fireEvent.click(within(screen.getByRole('group', { name: group })).getByRole('radio', { name }))
const chosen = (group: string) =>
  within(screen.getByRole('group', { name: group })).getByRole<HTMLInputElement>('radio', { checked: true })
    .value
const search = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Search backups' })
const type = (value: string) => act(async () => void fireEvent.change(search(), { target: { value } }))
const bars = () => within(screen.getByRole('group', { name: 'Backups by day' })).getAllByRole('button')

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setInterval', 'clearInterval'] })
  vi.stubGlobal('scrollTo', () => {})
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('[spec 1 §2] states', () => {
  test('before the slice has come: Loading backup information...', async () => {
    await given({ sources: estate.sources! }, {})
    expect(screen.getByRole('heading', { name: 'Loading backup information...' })).toBeDefined()
  })

  test('while the connection is made, the same', async () => {
    await given({}, { status: 'connecting', initialDataReceived: false })
    expect(screen.getByText('Loading backup information...')).toBeDefined()
  })

  test.each(['reconnecting', 'disconnected'] as const)('%s: Connection lost', async (status) => {
    await given({}, { status, initialDataReceived: false })
    expect(screen.getByRole('heading', { name: 'Connection lost' })).toBeDefined()
    expect(
      screen.getByText('Unable to connect to the backend server. Attempting to reconnect...'),
    ).toBeDefined()
  })

  test('nobody to ask: No backup sources configured, with the way to the settings', async () => {
    await given({})
    expect(screen.getByRole('heading', { name: 'No backup sources configured' })).toBeDefined()
    expect(screen.getByRole('link', { name: 'Go to Settings' }).getAttribute('href')).toBe('/settings')
  })

  test('[spec 1 §9] at first: Loading backup data..., for up to 20 seconds; then No backup data and the way to the tokens', async () => {
    await given({ sources: estate.sources! })
    expect(screen.getByRole('heading', { name: 'Loading backup data...' })).toBeDefined()
    expect(screen.getByText('This may take up to 20 seconds on the first load.')).toBeDefined()
    act(() => void vi.advanceTimersByTime(21_000))
    expect(screen.getByRole('heading', { name: 'No backup data' })).toBeDefined()
    expect(screen.getByRole('link', { name: 'Manage tokens' }).getAttribute('href')).toBe(
      '/settings/security',
    )
  })

  test('with backups at hand they stay while the connection is lost, without their colours', async () => {
    const { live } = await given()
    act(() => live.connection.set({ status: 'disconnected', initialDataReceived: false }))
    expect(screen.getByText('Connection lost')).toBeDefined()
    expect(table().closest('.grayscale')).not.toBeNull()
  })

  test('nothing matches', async () => {
    await given()
    await type('nothing like it')
    expect(screen.getByRole('heading', { name: 'No backups match your filters' })).toBeDefined()
    expect(screen.getByText('Try adjusting filters or selecting a different time range.')).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: 'Reset filters' }))
    expect(rows()).toHaveLength(4)
  })
})

test('the slice is streamed while the page is open, and no longer', async () => {
  const { asked, unmount } = await given()
  expect(asked).toEqual(['+backups'])
  unmount()
  expect(asked).toEqual(['+backups', '-backups'])
})

describe('[spec 1 §2] the table', () => {
  test('has its columns; that of owners while there are any', async () => {
    const heads = () =>
      within(table())
        .getAllByRole('columnheader')
        .map((one) => one.textContent)
    const { live } = await given()
    const all = [
      'Type',
      'Guest',
      'Name',
      'Node',
      'Time',
      'Backup',
      'Details',
      'Owner',
      'Size',
      'Location',
      'Verified',
    ]
    expect(heads()).toEqual(all)
    act(() => live.remove('pbsBackups', 'deep', 'root'))
    expect(heads()).toEqual(all.filter((head) => head !== 'Owner'))
  })

  test('shows each backup in them', async () => {
    await given()
    const time = (hours: number) =>
      new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(
        NOW - hours * HOUR,
      )
    expect(cells('snap')).toEqual([
      'VM',
      '100',
      'web',
      'pve1',
      time(1),
      'Snapshot',
      'before-update',
      '—',
      '—',
      '—',
      'OK',
    ])
    expect(cells('deep')).toEqual([
      'VM',
      '100',
      'web',
      'backup',
      time(192),
      'PBS',
      '',
      'pulse',
      '30 GB',
      'main/prod',
      'Verified',
    ])
    expect(cells('root').slice(-2)).toEqual(['main', 'Unverified'])
  })

  test('[spec 1 §9] age and size have their colours', async () => {
    await given()
    const tones = (id: string, cell: number) =>
      [...within(row(id)).getAllByRole('gridcell')[cell]!.querySelectorAll('[class*=text-]')]
        .map((one) => /text-(green|yellow|orange|red)/.exec(one.className)?.[1])
        .find(Boolean)
    expect(['snap', 'file', 'deep', 'root'].map((id) => tones(id, 4))).toEqual([
      'green',
      'yellow',
      'orange',
      'red',
    ])
    expect(['file', 'deep', 'root'].map((id) => tones(id, 8))).toEqual(['yellow', 'orange', 'red'])
  })

  test('[spec 1 §4] starts with the newest; time and size start descending, others ascending, and flip', async () => {
    await given()
    expect(rows()).toEqual(['snap', 'file', 'deep', 'root'])
    choose('By Guest', 'Group')
    const head = (name: string) => fireEvent.click(within(table()).getByRole('button', { name }))
    const sorted = (name: string) =>
      within(table()).getByRole('columnheader', { name }).getAttribute('aria-sort')
    for (const name of ['Size', 'Name', 'Verified', 'Time', 'Location']) {
      head(name)
      const first = ['Size', 'Time'].includes(name) ? 'descending' : 'ascending'
      expect(sorted(name), name).toBe(first)
      head(name)
      expect(sorted(name), name).toBe(first === 'ascending' ? 'descending' : 'ascending')
    }
    expect(within(table()).queryByRole('button', { name: 'Details' })).toBeNull()
    expect(localStorage.getItem('backupsSortKey')).toBe('storage')
  })

  test('times are ages when that is preferred, and stay so', async () => {
    await given()
    fireEvent.click(screen.getByRole('button', { name: 'Relative times' }))
    expect(cells('snap')[4]).toBe('1 hour ago')
    expect(localStorage.getItem('backupsUseRelativeTime')).toBe('true')
  })
})

describe('[spec 1 §2] the filter bar', () => {
  test('has its toggles; PMG-host while there are backups of hosts', async () => {
    const { live } = await given()
    const options = (group: string) =>
      within(screen.getByRole('group', { name: group }))
        .getAllByRole('radio')
        .map((one) => one.parentElement!.textContent)
    expect(options('Source')).toEqual(['All', 'Snapshots', 'PVE', 'PBS'])
    expect(options('Guest type')).toEqual(['All Types', 'VM', 'LXC'])
    expect(options('Group')).toEqual(['By Date', 'By Guest'])
    act(() => live.put({ pmgBackups: { m: aPmgBackup({ backupTime: ago(2) }) } }))
    expect(options('Guest type')).toEqual(['All Types', 'VM', 'LXC', 'PMG-host'])
    choose('PMG-host', 'Guest type')
    expect(rows()).toEqual(['m'])
  })

  test('filters, returns to All on a second click, and is reset', async () => {
    await given()
    choose('PBS', 'Source')
    expect(rows()).toEqual(['deep', 'root'])
    choose('PBS', 'Source')
    expect(chosen('Source')).toBe('all')
    choose('LXC', 'Guest type')
    expect(rows()).toEqual(['file'])
    await type('db')
    fireEvent.click(bars().at(-1)!)
    fireEvent.click(screen.getByRole('button', { name: 'Reset' }))
    expect([search().value, chosen('Source'), chosen('Guest type'), chosen('Group')]).toEqual([
      '',
      'all',
      'all',
      'date',
    ])
    expect(screen.queryByText('Filtered Date')).toBeNull()
    expect(rows()).toHaveLength(4)
  })

  test('[spec 1 §5] pbs:… in the search leaves that place alone, and forces the source to PBS', async () => {
    await given()
    choose('Snapshots', 'Source')
    await type('pbs:backup:main:prod')
    expect([chosen('Source'), rows()]).toEqual(['remote', ['deep']])
    await type('pbs:backup:main:')
    expect(rows()).toEqual(['root'])
  })

  test('remembers a search', async () => {
    await given()
    await type('web')
    fireEvent.keyDown(search(), { key: 'Enter' })
    expect(JSON.parse(localStorage.getItem('backupsSearchHistory')!)).toEqual(['web'])
  })

  test('says of a term that can match nothing why', async () => {
    await given()
    await type('cpu>80')
    expect(screen.getAllByText(/"cpu>80" can match nothing: backups have no cpu/)).not.toHaveLength(0)
  })
})

describe('[spec 1 §2] the chart', () => {
  test('counts 30 days, or 7, 90 and a year', async () => {
    await given()
    expect(screen.getByRole('heading', { name: 'Available backups' })).toBeDefined()
    expect(bars()).toHaveLength(30)
    for (const [label, count] of [
      ['7d', 7],
      ['90d', 90],
      ['1y', 365],
    ] as const) {
      choose(label, 'Range')
      expect(bars()).toHaveLength(count)
    }
  })

  test('[spec 1 §9] its bars say how many, in grey, blue, green or purple', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 11 }, (_, at) => [
        `m${at}`,
        aPbsBackup({ datastore: `d${at}`, backupTime: ago(49) }),
      ]),
    )
    await given({ ...estate, pbsBackups: { ...estate.pbsBackups, ...many } })
    expect(bars().at(-1)!.getAttribute('aria-label')).toMatch(/2026.*: 1 backup$/)
    expect(
      bars()
        .slice(-3)
        .map((bar) => bar.dataset['level']),
    ).toEqual(['many', 'none', 'few'])
    expect(bars().at(-3)!.innerHTML).toContain('bg-purple-fill')
  })

  test('a click on a bar leaves that day, another one all of them', async () => {
    await given()
    fireEvent.click(bars().at(-5)!)
    expect(screen.getByText('Filtered Date')).toBeDefined()
    expect(rows()).toEqual(['file'])
    fireEvent.click(bars().at(-5)!)
    expect([screen.queryByText('Filtered Date'), rows().length]).toEqual([null, 4])
    fireEvent.click(bars().at(-5)!)
    fireEvent.click(screen.getByRole('button', { name: 'Clear filter' }))
    expect(rows()).toHaveLength(4)
  })

  test('arrows lead from day to day, with one stop for Tab', async () => {
    await given()
    expect(bars().filter((bar) => bar.tabIndex === 0)).toEqual([bars().at(-1)])
    act(() => bars().at(-1)!.focus())
    fireEvent.keyDown(bars().at(-1)!, { key: 'ArrowLeft' })
    expect(document.activeElement).toBe(bars().at(-2))
  })

  test('its legend counts by source and knows the average deduplication', async () => {
    await given()
    const legend = within(screen.getByRole('list', { name: 'Legend' })).getAllByRole('listitem')
    expect(legend.map((one) => one.textContent)).toEqual([
      'Snapshots 1',
      'PVE 1',
      'PBS 1',
      'Average deduplication 10x',
    ])
  })
})

describe('[spec 1 §2] the node table', () => {
  const nodes = () => screen.getByRole('grid', { name: 'Nodes and backup servers' })
  const line = (name: string) =>
    within(nodes())
      .getByRole('link', { name: `${name}, open web interface` })
      .closest('[role=row]')!

  test('counts backups of nodes and backup servers', async () => {
    await given()
    const heads = within(nodes())
      .getAllByRole('columnheader')
      .map((one) => one.textContent)
    expect(heads).toEqual(['Node / PBS', 'Uptime', 'CPU', 'Memory', 'Storage / Disk', 'Backups'])
    const count = (name: string) =>
      within(line(name) as HTMLElement)
        .getAllByRole('gridcell')
        .at(-1)!.textContent
    expect([count('pve1'), count('pve2'), count('backup')]).toEqual(['1', '1', '2'])
  })

  test('a node leaves its backups; a backup server also forces the source to PBS', async () => {
    await given()
    fireEvent.click(line('pve2'))
    expect([rows(), chosen('Source')]).toEqual([['file'], 'all'])
    fireEvent.click(line('backup'))
    expect([rows(), chosen('Source')]).toEqual([['deep', 'root'], 'remote'])
    fireEvent.click(line('backup'))
    expect([rows().length, chosen('Source')]).toEqual([4, 'all'])
  })
})

test('groups have heads: days by their names, guests by theirs', async () => {
  await given()
  const heads = () =>
    [...table().querySelectorAll<HTMLElement>('[data-row^="head:"]')].map((one) => one.textContent)
  expect(heads()[0]).toBe('Today1 backup')
  choose('By Guest', 'Group')
  expect(heads()).toEqual(['VM100webmain3 backups', 'LXC105dbmain1 backup'])
})

test('keys: typing searches, Escape resets', async () => {
  await given()
  act(() => void fireEvent.keyDown(document.body, { key: 'w' }))
  expect(document.activeElement).toBe(search())
  await type('web')
  act(() => void fireEvent.keyDown(document.body, { key: 'Escape' }))
  expect(search().value).toBe('')
})
