import type { Node, PbsServer, PhysicalDisk, Storage } from '@pulse/contract'
import { aDisk, aNode, aPbsServer, aStorage } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import type { AlertLevels } from '../alerts/alert-levels.ts'
import { nodeKey } from '../nodes/nodes.ts'
import { type SummaryColumnId, summaryColumns } from './columns.tsx'
import { FOLD, type FoldKey } from './fold.ts'
import { createSummarySelector, selectSummary, type SummaryFocus, type SummarySort } from './order.ts'
import type { CountsByRow, SummaryRowKey } from './rows.ts'

const columns = summaryColumns('overview', { withPbs: true, withTemperature: true })

interface Options {
  nodes?: Record<string, Node>
  pbs?: Record<string, PbsServer>
  storage?: Record<string, Storage>
  physicalDisks?: Record<string, PhysicalDisk>
  sort?: SummarySort
  counts?: CountsByRow
  servers?: boolean
  alerts?: AlertLevels
  focus?: SummaryFocus
  room?: number
  unfolded?: boolean
  opened?: ReadonlySet<FoldKey>
  selected?: SummaryRowKey
}

function summary(
  { nodes = {}, pbs = {}, storage = {}, physicalDisks = {}, ...query }: Options,
  select = selectSummary,
) {
  const shown = select(aLive({ nodes, pbs, storage, physicalDisks }).store, {
    counts: new Map(),
    servers: true,
    alerts: new Map(),
    focus: undefined,
    room: undefined,
    unfolded: false,
    selected: undefined,
    sort: undefined,
    column: columns.find(({ id }) => id === query.sort?.key),
    ...query,
  })
  return { ...shown, folded: shown.folds.find(({ key }) => key === FOLD)?.count ?? 0 }
}
const by = (key: SummaryColumnId, direction: 'asc' | 'desc') => ({ key, direction })

describe('order', () => {
  const nodes = {
    b: aNode({ node: 'b', cpu: 0.2 }),
    off: aNode({ node: 'aa', status: 'offline' }),
    a: aNode({ node: 'a', displayName: 'zeta', cpu: 0.9 }),
  }
  const pbs = { p: aPbsServer({ name: 'a-backup' }) }

  test('[spec 1 §2] by default PVE before PBS, online before offline, then by name', () => {
    expect(summary({ nodes, pbs }).keys).toEqual(['pve:b', 'pve:a', 'pve:off', 'pbs:p'])
  })

  test('nodes of one name by their clusters, whatever their ids', () => {
    const twins = {
      x: aNode({ instance: 'edge' }),
      a: aNode({ instance: 'prod' }),
      b: aNode({ instance: 'core' }),
    }
    expect(summary({ nodes: twins }).keys).toEqual(['pve:b', 'pve:x', 'pve:a'])
  })

  test('a unreachable source moves no line', () => {
    const unreachable = { ...nodes, b: aNode({ node: 'b', connectionHealth: 'error', staleSince: 1 }) }
    expect(summary({ nodes: unreachable }).keys).toEqual(['pve:b', 'pve:a', 'pve:off'])
  })

  test('[spec 1 §2] by a column, missing values last in both directions', () => {
    expect(summary({ nodes, sort: by('cpu', 'desc') }).keys).toEqual(['pve:a', 'pve:b', 'pve:off'])
    expect(summary({ nodes, sort: by('cpu', 'asc') }).keys).toEqual(['pve:b', 'pve:a', 'pve:off'])
  })

  test('[spec 1 §2] by name and by count', () => {
    expect(summary({ nodes, sort: by('name', 'desc') }).keys).toEqual(['pve:a', 'pve:b', 'pve:off'])
    const counts = new Map([
      [nodeKey({ instance: 'main', node: 'a' }), { vms: 1 }],
      [nodeKey({ instance: 'main', node: 'b' }), { vms: 7 }],
    ])
    expect(summary({ nodes, counts, sort: by('vms', 'desc') }).keys).toEqual(['pve:b', 'pve:a', 'pve:off'])
  })

  test('longest up first when sorted descending', () => {
    const up = { young: aNode({ node: 'y', startedAt: 2e12 }), old: aNode({ node: 'o', startedAt: 1e12 }) }
    expect(summary({ nodes: up, sort: by('uptime', 'desc') }).keys).toEqual(['pve:old', 'pve:young'])
  })

  test('backup servers only where the tab has lines for them', () => {
    expect(summary({ nodes, pbs, servers: false }).keys).not.toContain('pbs:p')
    expect(summary({ nodes, pbs, servers: false }).withPbs).toBe(false)
    expect(summary({ nodes, pbs }).withPbs).toBe(true)
  })
})

test('[spec 1 §2] the column exists when any node reports one', () => {
  const nodes = {
    a: aNode(),
    b: aNode({ node: 'b', temperature: { available: true, hasCPU: true, hasNVMe: false, cpuPackage: 50 } }),
  }
  expect(summary({ nodes }).withTemperature).toBe(true)
  expect(summary({ nodes: { a: aNode() } }).withTemperature).toBe(false)
})

describe('a long table', () => {
  const named = (count: number, change: Record<number, Partial<Node>> = {}) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => {
        const node = `n${String(index).padStart(2, '0')}`
        return [node, aNode({ node, ...change[index] })]
      }),
    )
  const estate = named(25, {
    7: { cpu: 0.95 },
    12: { connectionHealth: 'error', staleSince: 1 },
    20: { status: 'offline', staleSince: 1 },
  })
  const keys = (...numbers: string[]) => numbers.map((number) => `pve:n${number}`)

  test('puts down lines first, then other trouble, then healthy lines where they fit', () => {
    const { keys: shown, folded } = summary({ nodes: estate, room: 6 })
    expect(shown).toEqual([...keys('12', '20', '07', '00', '01', '02'), FOLD])
    expect(folded).toBe(19)
  })

  test('opened it has all lines, and those above keep their order', () => {
    const { keys: shown } = summary({ nodes: estate, room: 6, unfolded: true })
    expect(shown.slice(0, 7)).toEqual([...keys('12', '20', '07', '00', '01', '02'), FOLD])
    expect(shown.slice(7, 10)).toEqual(keys('03', '04', '05'))
    expect(shown).toHaveLength(26)
  })

  test('never folds trouble', () => {
    const off = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [n, { status: 'offline' }] as const))
    const { keys: shown, folded } = summary({ nodes: named(25, off), room: 6 })
    expect(shown).toHaveLength(11)
    expect(folded).toBe(15)
  })

  test('keeps the selected line', () => {
    const { keys: shown } = summary({ nodes: estate, room: 6, selected: 'pve:n24' })
    expect(shown).toEqual([...keys('12', '20', '07', '00', '01', '02', '24'), FOLD])
  })

  test('[spec 1 §2] sorted by a column it is one list', () => {
    const { keys: shown, folded } = summary({ nodes: estate, room: 6, sort: by('name', 'asc') })
    expect(shown).toHaveLength(25)
    expect([shown[0], folded]).toEqual(['pve:n00', 0])
  })

  test('[spec 1 §2] one in which nothing is folded keeps the default order', () => {
    const busy = Object.fromEntries([1, 3, 4, 5, 6].map((n) => [n, { cpu: 0.95 }] as const))
    const { keys: shown, folds } = summary({ nodes: named(7, busy), room: 4 })
    expect(folds).toEqual([])
    expect(shown).toEqual(keys('00', '01', '02', '03', '04', '05', '06'))
  })

  test('[spec 1 §2] a short one keeps the default order', () => {
    const { keys: shown } = summary({ nodes: named(8, { 0: { status: 'offline' } }), room: 6 })
    expect(shown).toEqual(keys('01', '02', '03', '04', '05', '06', '07', '00'))
  })

  test('an alert is trouble', () => {
    const alerts: AlertLevels = new Map([['main-n24', 'warning']])
    expect(summary({ nodes: estate, room: 6, alerts }).keys.slice(0, 4)).toEqual(keys('12', '20', '07', '24'))
  })

  describe('never counts among the healthy', () => {
    const well = { name: 'tank', readErrors: 0, writeErrors: 0, checksumErrors: 0, devices: [] }
    const pool = (state: string, readErrors = 0) => ({ ...well, state, readErrors })
    const on = { instance: 'main', node: 'n24' }
    const first = (options: Options) =>
      summary({ nodes: estate, room: 6, focus: 'attention', ...options }).keys

    test.each([
      ['a failed disk', { physicalDisks: { d: aDisk({ ...on, health: 'FAILED' }) } }],
      ['a disk at the end of its life', { physicalDisks: { d: aDisk({ ...on, wearout: 4 }) } }],
      ['a degraded pool', { storage: { s: aStorage({ ...on, zfsPool: pool('DEGRADED') }) } }],
      ['a pool with errors', { storage: { s: aStorage({ ...on, zfsPool: pool('ONLINE', 4) }) } }],
      ['a storage that its cluster cannot use', { storage: { s: aStorage({ ...on, status: 'inactive' }) } }],
    ])('a node with %s', (_, options) => {
      expect(first(options)).toEqual(keys('07', '12', '24', '20'))
    })

    test('but a node whose storages and disks are well, disabled or shared with others', () => {
      const storage = {
        well: aStorage({ ...on, zfsPool: pool('ONLINE') }),
        disabled: aStorage({ ...on, name: 'old', status: 'disabled', enabled: false }),
        shared: aStorage({ ...on, name: 'nas', shared: true, nodes: ['n23', 'n24'], status: 'inactive' }),
      }
      expect(first({ storage, physicalDisks: { d: aDisk(on) } })).toEqual(keys('07', '12', '20'))
    })
  })

  test('a filter keeps its lines in the default order, and the selected line', () => {
    expect(summary({ nodes: estate, room: 6, focus: 'unreachable' }).keys).toEqual(keys('12', '20'))
    expect(summary({ nodes: estate, room: 6, focus: 'attention' }).keys).toEqual(keys('07', '12', '20'))
    expect(summary({ nodes: estate, focus: 'unreachable', selected: 'pve:n00' }).keys).toEqual(
      keys('00', '12', '20'),
    )
  })
})

describe('a long table full of trouble', () => {
  const some = (from: number, count: number, instance: string, change: Partial<Node> = {}) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => {
        const node = `n${String(from + index).padStart(2, '0')}`
        return [node, aNode({ instance, node, ...change })]
      }),
    )
  const well = (from: number, count: number) => some(from, count, 'well')
  const off = (from: number, count: number, instance: string) =>
    some(from, count, instance, { status: 'offline', staleSince: 2_000 })
  const unreachable = (from: number, count: number, instance: string) =>
    some(from, count, instance, { connectionHealth: 'error', staleSince: 1_000 })
  const lines = (...numbers: string[]) => numbers.map((number) => `pve:n${number}`)

  test('a down cluster is one line with count, cluster, names and time', () => {
    const nodes = { ...unreachable(0, 25, 'main'), ...well(50, 10) }
    const { keys, folds } = summary({ nodes, room: 6 })
    expect(keys).toEqual(['fold:unreachable main', ...lines('50', '51', '52', '53', '54'), FOLD])
    expect(folds[0]).toMatchObject({ rank: 0, count: 25, cluster: 'main', since: 1_000, unreachable: true })
    expect(folds[0]!.names).toMatch(/^n00, n01, n02, .*n24$/)
  })

  test('it opens to its lines, and lines below keep their order', () => {
    const nodes = { ...unreachable(0, 25, 'main'), ...well(50, 10) }
    const opened = new Set<FoldKey>(['fold:unreachable main'])
    const { keys } = summary({ nodes, room: 6, opened })
    expect(keys.slice(0, 3)).toEqual(['fold:unreachable main', 'pve:n00', 'pve:n01'])
    expect(keys.slice(26)).toEqual([...lines('50', '51', '52', '53', '54'), FOLD])
  })

  test('each reason has its line; a single node with its own reason keeps its line', () => {
    const nodes = { ...off(0, 9, 'a'), ...unreachable(10, 9, 'b'), ...off(20, 2, 'c') }
    expect(summary({ nodes, room: 6 }).keys).toEqual([
      'fold:unreachable b',
      'fold:offline a',
      'pve:n20',
      'pve:n21',
    ])
  })

  test('with any trouble a folded table has few lines, so that the guests begin on the first screen', () => {
    const alone = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => Object.entries(off(n, 1, `s${n}`))).flat(),
    )
    const busy = some(50, 40, 'busy', { cpu: 0.95 })
    for (const nodes of [alone, busy, { ...alone, ...busy }, { ...alone, ...busy, ...well(100, 40) }]) {
      for (const focus of [undefined, 'unreachable', 'attention'] as const) {
        expect(summary({ nodes, room: 6, focus }).keys.length).toBeLessThanOrEqual(14)
      }
    }
    expect(summary({ nodes: busy, room: 6 }).folds).toMatchObject([{ rank: 1, count: 34, more: true }])
  })

  test('the selected line of a closed one stays', () => {
    const nodes = { ...off(0, 25, 'main'), ...well(50, 10) }
    expect(summary({ nodes, room: 6, selected: 'pve:n07' }).keys.slice(0, 3)).toEqual([
      'fold:offline main',
      'pve:n07',
      'pve:n50',
    ])
  })

  test('a figure around its threshold moves no line until it is well below', () => {
    const select = createSummarySelector()
    const withCpu = (cpu: number, focus?: SummaryFocus) =>
      summary({ nodes: { ...well(0, 24), n90: aNode({ node: 'n90', cpu }) }, room: 6, focus }, select).keys[0]
    expect(withCpu(0.88)).toBe('pve:n00')
    for (const cpu of [0.91, 0.89, 0.9, 0.86]) expect(withCpu(cpu)).toBe('pve:n90')
    expect(withCpu(0.86, 'attention'), 'and counts as what it is').toBeUndefined()
    expect(withCpu(0.84)).toBe('pve:n00')
    expect(withCpu(0.88)).toBe('pve:n00')
  })
})
