import type { Charts, HistorySeries, StorageCharts } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import { acceleratedClock } from '@pulse/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connectCluster } from './fixtures-cluster.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { within } from '../../../../scripts/test-limits.ts'

let lab: Lab
let server: TestServer
const clock = acceleratedClock(20, Date.now())
const read = async (path: string) => (await server.call('GET', path)).body
const until = (look: () => Promise<void>) => vi.waitFor(look, { timeout: within(120_000), interval: 100 })

beforeAll(async () => {
  lab = await startLab({ nodes: 1, guests: 4, authDelayMs: 0, loadPeriodMs: 10_000 })
  server = await startTestServer(clock)
  await connectCluster(server, lab, { monitorStorage: true })
  await until(async () => {
    const { nodeData } = (await read('/api/charts')) as Charts
    expect(Object.values(nodeData)[0]?.cpu.length).toBeGreaterThanOrEqual(3)
  })
})
afterAll(async () => {
  await server.stop()
  await lab.close()
})

test('[facts/collection 4.7] charts have a line per figure of every guest, node and storage', async () => {
  await until(async () => {
    const { data, nodeData, storageData, timestamp, stats } = (await read('/api/charts?range=5m')) as Charts
    const state = (await read('/api/state')) as Record<
      'vms' | 'containers' | 'nodes' | 'storage',
      { id: string }[]
    >
    expect(Object.keys(data).sort()).toEqual([...state.vms, ...state.containers].map(({ id }) => id).sort())
    expect(Object.keys(nodeData)).toEqual(state.nodes.map(({ id }) => id))
    expect(Object.keys(storageData).sort()).toEqual(state.storage.map(({ id }) => id).sort())
    const running = Object.values(data).find(({ netin }) => netin.length > 1)!
    expect(Object.keys(running).sort()).toEqual(
      ['cpu', 'disk', 'diskread', 'diskwrite', 'memory', 'netin', 'netout'].sort(),
    )
    for (const { value } of running.cpu) {
      expect(value).toBeGreaterThanOrEqual(0)
      expect(value).toBeLessThanOrEqual(100)
    }
    const times = running.cpu.map((point) => point.timestamp)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(stats.oldestDataTimestamp).toBeLessThanOrEqual(times[0]!)
    // in the unit of the points, as in Pulse 4.x
    expect(timestamp).toBeGreaterThanOrEqual(times.at(-1)!)
    expect(timestamp).toBeLessThanOrEqual(clock.now())
  })
})

test('[facts/collection 4.7] an unknown range is one hour', async () => {
  const { status, body } = await server.call('GET', '/api/charts?range=someday')
  expect(status).toBe(200)
  expect(Object.keys((body as Charts).nodeData)).toHaveLength(1)
})

test('[facts/collection 4.7] the charts of storages have usage, used, total and available space, as they were', async () => {
  const sizes = [1e11, 2e11]
  const last = async () => {
    const charts = (await read('/api/storage-charts?range=60')) as StorageCharts
    const found = Object.values(charts).find(({ total }) => total.some(({ value }) => near(value, sizes[0]!)))
    expect(found?.used.length).toBeGreaterThan(1)
    return found!
  }
  lab.control.patchStorage('local', { node: 'pve1', used: 6e10, total: sizes[0]! })
  await until(async () => void (await last()))
  lab.control.patchStorage('local', { node: 'pve1', total: sizes[1]! })
  await until(async () => {
    const { usage, used, total, avail } = await last()
    expect(near(total.at(-1)!.value, sizes[1]!)).toBe(true)
    expect([used, avail, usage].map((line) => line.length)).toEqual(Array(3).fill(total.length))
    for (const [n, { value }] of total.entries()) {
      expect(near(used[n]!.value + avail[n]!.value, value)).toBe(true)
      expect(near(usage[n]!.value, (used[n]!.value / value) * 100)).toBe(true)
    }
  })
})
/** Stored with three digits. */
const near = (value: number, wanted: number) => Math.abs(value - wanted) <= 0.02 * wanted

const seriesOf = async (query: Record<string, string | number>) =>
  server.call('GET', `/api/history/series?${new URLSearchParams(query as Record<string, string>)}`)

test('[M 2] a series names its tier, its unit and its gaps, which have a reason', async () => {
  const [connection] = (await read('/api/config/nodes')) as { id: string }[]
  const stopped = `${connection!.id}:${lab.control.guest(100).vmid}`
  lab.control.patchGuest(100, { status: 'stopped' })
  await until(async () => {
    const now = clock.now()
    const query = {
      kind: 'guests',
      ids: stopped,
      fields: 'cpu,memory',
      from: now - 3_600_000,
      to: now + 60_000,
    }
    const { tier, series } = (await seriesOf(query)).body as { tier: string; series: HistorySeries[] }
    expect(tier).toBe('raw')
    expect(series.map(({ id, field, unit }) => [id, field, unit])).toEqual([
      [stopped, 'cpu', 'ratio'],
      [stopped, 'memory', 'percent'],
    ])
    const { points, gaps } = series[0]!
    expect(points.length).toBeGreaterThan(0)
    expect(gaps[0]).toMatchObject({ from: query.from, reason: 'off' })
    expect(gaps.at(-1)!.reason).toBe('stopped')
    // what has not happened yet is no gap
    expect(gaps.at(-1)!.to).toBeLessThanOrEqual(clock.now())
  })
})

test('[M 2] a record without history has an empty series, not an error', async () => {
  const to = clock.now()
  const { status, body } = await seriesOf({
    kind: 'guests',
    ids: 'nowhere:1',
    fields: 'cpu',
    from: to - 60_000,
    to,
  })
  expect(status).toBe(200)
  expect((body as { series: HistorySeries[] }).series).toMatchObject([{ id: 'nowhere:1', points: [] }])
})

test.each([
  [{ fields: 'colour' }, 'fields: guests have no history of "colour".'],
  [{ from: 20, to: 10 }, 'from: The time must be before "to".'],
  [{ points: 100_000 }, 'points'],
  [{ ids: Array.from({ length: 9 }, (_, n) => `a:${n}`).join(',') }, 'ids'],
])('[M 2] a question that makes no sense is refused: %j', async (change, text) => {
  const query = { kind: 'guests', ids: 'a:1', fields: 'cpu', from: 0, to: 1_000, ...change }
  const { status, body } = await seriesOf(query)
  expect(status).toBe(400)
  expect((body as { error: string }).error).toContain(text)
})

test('[M 1.3] what was sampled before a restart is there after it', async () => {
  const before = (await read('/api/charts')) as Charts
  const [first] = Object.values(before.nodeData)[0]!.cpu
  await server.restart()
  await until(async () => {
    const { nodeData } = (await read('/api/charts')) as Charts
    const cpu = Object.values(nodeData)[0]?.cpu ?? []
    expect(cpu[0]).toEqual(first)
    expect(cpu.at(-1)!.timestamp).toBeGreaterThan(Object.values(before.nodeData)[0]!.cpu.at(-1)!.timestamp)
  })
})
