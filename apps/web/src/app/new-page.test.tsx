// @vitest-environment happy-dom
import type { Storage } from '@pulse/contract'
import { aNode, aSecurityStatus, aStorage } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Connection } from '../live/connection.ts'
import { aLive } from '../live/fake-live.ts'
import { showPages } from './fake-app.tsx'
import { openPools, poolPage } from './fake-pools.tsx'
import type { Page } from './routes.ts'
import { createMemoryHistory } from '../ui/router/fake-history.ts'

// The whole of a page about pools: its columns, its view, its list and what it draws.

type PoolColumn = ListColumn<Storage, undefined, Storage, 'name' | 'node' | 'usage' | 'free'>

const poolColumns: readonly PoolColumn[] = [
  {
    id: 'name',
    header: 'Pool',
    first: 'asc',
    track: 'minmax(140px, 2fr)',
    value: (pool) => pool.name,
    cell: (pool) => <Cell>{pool.name}</Cell>,
    phone: { slot: 'name', draw: (pool) => pool.name },
  },
  {
    id: 'node',
    header: 'Node',
    first: 'asc',
    track: '100px',
    value: (pool) => pool.node,
    cell: (pool) => <Cell>{pool.node}</Cell>,
    phone: { slot: 'fact', draw: (pool) => pool.node },
  },
  {
    id: 'usage',
    header: 'Usage',
    first: 'desc',
    track: '1fr',
    moves: true,
    value: (pool) => pool.usage,
    cell: (pool) => <UsageCell percent={pool.usage} scale="disk" />,
    phone: { slot: 'figure', label: 'Used', draw: (pool) => formatBytes(pool.used) },
  },
  {
    id: 'free',
    header: 'Free',
    first: 'asc',
    track: '80px',
    align: 'end',
    value: (pool) => pool.free,
    cell: (pool) => <NumberCell>{formatBytes(pool.free)}</NumberCell>,
  },
]

const poolView = defineTableView({
  sortKey: 'storageSortKey',
  sortDirection: 'storageSortDirection',
  filters: {},
  layout: { grouping: 'storageViewMode' },
})

const toggles = {
  grouping: {
    label: 'Group',
    options: [
      { value: 'node', label: 'By Node' },
      { value: 'storage', label: 'By Storage' },
    ],
  },
} as const

const names = { record: 'pool', group: 'node' } as const
const openPools = createExpansion()

function Pools() {
  const hasPools = useLive(['storage'], (live) => live.records('storage').size > 0)
  return (
    <LivePage
      title="Pools"
      texts={{ loading: 'Loading pools' }}
      hasFigures={hasPools}
      empty={<p>No pools configured</p>}
    >
      <PoolList />
    </LivePage>
  )
}

function PoolList() {
  const view = useTableView(poolView)
  const phone = usePhone()
  const [held, setHeld] = useState(false)
  const search = useRef<HTMLInputElement>(null)
  const { key, direction } = view.sort
  const grouped = view.chosen.grouping === 'node'
  const term = view.search
  const select = useMemo(
    () =>
      createListSelector({
        kind: 'storage',
        names,
        around: () => [] as const,
        direction,
        see: (pool) =>
          pool.name.includes(term)
            ? { value: valueOf(key, pool), tie: 0, group: pool.node, mark: pool.status }
            : undefined,
        ...(grouped && { groups: (present: readonly string[]) => present.toSorted() }),
      }),
    [key, direction, grouped, term],
  )
  const list = useLive(
    ['storage'],
    useCallback((live) => select(live, held), [select, held]),
  )
  return (
    <>
      <FilterLine
        shown={view.filtersShown}
        onShow={view.showFilters}
        active={view.filters}
        bar={(id) => (
          <FilterBar
            id={id}
            view={view}
            toggles={toggles}
            columns={poolColumns}
            withSort={phone}
            search={
              <SearchBox
                label="Search pools"
                placeholder=""
                value={view.search}
                onChange={view.setSearch}
                history="storage"
                inputRef={search}
              />
            }
          />
        )}
      >
        <LiveNotice />
      </FilterLine>
      <LiveCard>
        <ListTable
          label="Pools"
          names={names}
          rows={list.rows}
          columns={poolColumns}
          sort={view.sort}
          onSort={view.sortBy}
          grouped={grouped}
          drawGroup={({ id }) => <div role="gridcell">{`on ${id}`}</div>}
          drawRecord={({ id, expanded }) => <PoolRow id={id} expanded={expanded} phone={phone} />}
          details={{ expansion: openPools, draw: (id) => <div role="gridcell">{`details of ${id}`}</div> }}
          minWidth={760}
          phone={phone}
          onHold={setHeld}
        />
      </LiveCard>
    </>
  )
}

const valueOf = (key: string, pool: Storage) =>
  poolColumns.find(({ id }) => id === key)?.value(pool, undefined)

function PoolRow({ id, expanded, phone }: { id: string; expanded: boolean; phone: boolean }) {
  const pool = useEntity('storage', id)
  return pool && <ColumnRow columns={poolColumns} shown={pool} phone={phone} open={expanded} />
}

/** The one step: an entry in the table of routes. */
const poolPage = (adminTo?: string): Page => ({
  path: '/proxmox/pools',
  area: 'proxmox',
  label: 'Pools',
  listedWhile: { kinds: ['storage'], holds: (live) => live.records('storage').size > 0 },
  ...(adminTo !== undefined && { adminTo }),
  load: async () => Pools,
})

const overview: Page = {
  path: '/proxmox/overview',
  area: 'proxmox',
  label: 'Overview',
  load: async () => () => <p>overview</p>,
}

const pools = {
  s1: aStorage({ name: 'zebra', node: 'pve1', usage: 10 }),
  s2: aStorage({ name: 'apple', node: 'pve2', usage: 90 }),
  s3: aStorage({ name: 'mango', node: 'pve1', usage: 50 }),
}

interface Given {
  path?: string
  storage?: Record<string, Storage>
  connection?: Partial<Connection>
  adminTo?: string
  role?: 'viewer' | 'admin'
}

async function given(options: Given = {}) {
  const { path = '/proxmox/pools', storage = pools, connection = {}, adminTo, role = 'viewer' } = options
  const live = aLive({ nodes: { n: aNode() }, storage }, connection)
  const status = aSecurityStatus({ user: { name: 'zoe', role, method: 'session' } })
  const router = await showPages({ table: [overview, poolPage(adminTo)], path, live, status })
  return { ...live, router }
}

const tab = () => screen.queryByRole('link', { name: 'Pools' })
const table = () => screen.getByRole('treegrid', { name: 'Pools' })
const rows = () => [...table().querySelectorAll<HTMLElement>('[data-row]')].map((one) => one.dataset['row'])
const byNode = ['node:pve1', 'pool:s3', 'pool:s1', 'node:pve2', 'pool:s2']

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('scrollTo', () => {})
})
afterEach(() => {
  cleanup()
  act(openPools.collapseAll)
  vi.unstubAllGlobals()
})

describe('[design 13] a page is one entry in the table of routes', () => {
  test('its tab is there while its condition holds, and leads to it', async () => {
    const live = await given({ path: '/', storage: {} })
    expect([tab(), screen.getByText('overview')]).toEqual([null, expect.anything()])
    act(() => live.put({ storage: pools }))
    expect(tab()).not.toBeNull()
    await act(async () => void fireEvent.click(tab()!))
    expect(live.router.view().place.path).toBe('/proxmox/pools')
    expect(screen.getByRole('heading', { level: 1, name: 'Pools' })).toBeDefined()
    act(() => live.remove('storage', 's1', 's2', 's3'))
    expect(tab()?.getAttribute('aria-current')).toBe('page')
  })

  test('its address answers without the condition too', async () => {
    await given({ storage: {} })
    expect(screen.getByText('No pools configured')).toBeDefined()
  })
})

describe('[design 13] the frame says why there are no figures, or why they are old', () => {
  test('loading', async () => {
    await given({ storage: {}, connection: { status: 'connecting', initialDataReceived: false } })
    expect(screen.getByText('Loading pools')).toBeDefined()
  })

  test('lost, without figures and with them', async () => {
    const lost = { status: 'disconnected', initialDataReceived: false } as const
    await given({ storage: {}, connection: lost })
    expect(screen.getByRole('heading', { name: 'Connection lost' })).toBeDefined()
    cleanup()
    await given({ connection: { ...lost, lastUpdate: Date.now() - 150_000 } })
    expect(screen.getByText('Connection lost')).toBeDefined()
    expect(screen.getByText('Figures are from 2 minutes ago.')).toBeDefined()
    expect(table().closest('.grayscale')).not.toBeNull()
  })

  test('stale: a source does not answer', async () => {
    const live = await given()
    const silent = { name: 'main', kind: 'pve', health: 'error', error: 'connection refused' } as const
    act(() => live.put({ sources: { c1: silent } }))
    expect(screen.getByText(/^main does not answer/)).toBeDefined()
    expect(rows()).toEqual(byNode)
  })

  test('no rights', async () => {
    await given({ adminTo: 'to see pools' })
    expect(screen.getByText('You need administrator access to see pools.')).toBeDefined()
    expect(screen.queryByRole('treegrid')).toBeNull()
    cleanup()
    await given({ path: '/', adminTo: 'to see pools' })
    expect(tab(), 'nor does navigation lead there').toBeNull()
    cleanup()
    await given({ adminTo: 'to see pools', role: 'admin' })
    expect([table(), tab()]).toEqual([expect.anything(), expect.anything()])
  })
})

describe('[design 13] the table', () => {
  test('groups and sorts, and a click on a head sorts anew', async () => {
    await given()
    expect(rows()).toEqual(byNode)
    fireEvent.click(within(table()).getByRole('button', { name: 'Usage' }))
    expect(rows()).toEqual(byNode)
    fireEvent.click(within(table()).getByRole('button', { name: 'Usage' }))
    expect(rows()).toEqual(['node:pve1', 'pool:s1', 'pool:s3', 'node:pve2', 'pool:s2'])
    fireEvent.click(screen.getByRole('radio', { name: 'By Storage' }))
    expect(rows()).toEqual(['pool:s1', 'pool:s3', 'pool:s2'])
    fireEvent.click(screen.getByRole('button', { name: 'Reset' }))
    expect(rows()).toEqual(byNode)
  })

  test('filters, and counts what is filtered', async () => {
    await given()
    fireEvent.change(screen.getByRole('textbox', { name: 'Search pools' }), { target: { value: 'an' } })
    expect(rows()).toEqual(['node:pve1', 'pool:s3'])
    expect(screen.getByRole('button', { name: 'Filters 1 active' })).toBeDefined()
  })

  test('opens a record to its details, and remembers it', async () => {
    await given()
    fireEvent.click(within(table()).getByText('mango'))
    expect(screen.getByText('details of s3')).toBeDefined()
    cleanup()
    await given()
    expect(screen.getByText('details of s3')).toBeDefined()
  })

  test('has rows of two lines on a phone, and the order to choose', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
    await given()
    expect(screen.queryByRole('columnheader')).toBeNull()
    const cells = within(document.querySelector<HTMLElement>('[data-row="pool:s3"]')!).getAllByRole(
      'gridcell',
    )
    expect(cells.map((cell) => cell.textContent)).toEqual(['mangopve1', expect.stringMatching(/^Used/)])
    fireEvent.change(screen.getByRole('combobox', { name: 'Sort by' }), { target: { value: 'usage' } })
    expect(rows()).toEqual(byNode)
  })
})
