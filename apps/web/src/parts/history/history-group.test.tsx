// @vitest-environment happy-dom
import { getHistorySeries, kinds } from '@pulse/contract'
import { aCephCluster, aNode, aStorage } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within as inside } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { Queries } from '../../api/queries.tsx'
import { PoolDetails } from '../../features/storage/pool-details.tsx'
import { Node } from '../../features/thing/node.tsx'
import { aLive } from '../../live/fake-live.ts'
import { stubCanvas } from '../chart/fake-canvas.ts'
import { renderInApp } from '../fake-app.tsx'
import type { SeriesCall } from './fake-history.tsx'
import { aPoint, now } from './fixtures.ts'
import { HistoryDialog } from './history-dialog.tsx'
import { hour, press } from './view-steps.ts'

beforeEach(() => {
  stubCanvas()
  vi.useFakeTimers({ toFake: ['Date'], now })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const datastore = (name: string) => ({
  source: 'backup',
  server: 'pbs',
  name,
  status: 'available',
  forecast: { reason: 'flat' },
})
const cluster = aCephCluster({ source: 'main', name: 'ceph1' })
const live = () =>
  aLive({
    nodes: { n1: aNode({ source: 'main' }) },
    datastores: { 'backup:main': datastore('main'), 'backup:old': datastore('old') } as never,
    storage: { s1: aStorage({ source: 'main', name: 'rbd1', type: 'rbd' }) },
    cephClusters: { [kinds.cephClusters.key(cluster)]: cluster },
  })

/** Every figure once a minute. */
const figures = ({ ids, fields, from, to }: SeriesCall) => ({
  tier: 'raw',
  from,
  to,
  series: fields.split(',').map((field) => ({
    id: ids,
    field,
    unit: 'percent',
    points: Array.from({ length: 60 }, (_, n) => aPoint(Math.ceil(from / 60_000) * 60_000 + n * 60_000, n)),
    gaps: [],
  })),
})

const server = <HistoryDialog kind="pbs" id="backup" name="pbs1" onClose={() => {}} />
const storage = <PoolDetails id="s1" colSpan={9} />
const node = (
  <Queries>
    <Node id="n1" />
  </Queries>
)

test.each<{ title: string; view: ReactNode; names: string[] }>([
  { title: 'a backup server and its datastores', view: server, names: ['pbs1', 'main', 'old'] },
  { title: 'a storage and its Ceph cluster', view: storage, names: ['rbd1', 'ceph1'] },
  { title: 'a node and the Ceph cluster of its connection', view: node, names: ['pve1', 'ceph1'] },
])('[M 3.1] the charts of $title have one range, one zoom and one crosshair', async ({ view, names }) => {
  const calls: SeriesCall[] = []
  await renderInApp(view, {
    live: live(),
    replies: {
      [getHistorySeries.path]({ query }: { query: SeriesCall }) {
        calls.push(query)
        return figures(query)
      },
    },
  })
  const group = (name: string) =>
    screen.findByRole('group', { name: `History of ${name}` }, { timeout: within(20_000) })
  const groups = await Promise.all(names.map(group))
  const slider = async (of: HTMLElement) =>
    (await inside(of).findAllByRole('slider', {}, { timeout: within(20_000) }))[0]!
  const sliders = await Promise.all(groups.map(slider))
  /** The length of what each of them has asked for last. */
  const lengths = () =>
    [...Map.groupBy(calls, ({ kind, ids }) => `${kind} ${ids}`).values()].map((own) => {
      const { from, to } = own.at(-1)!
      return to - from
    })
  const all = (value: unknown) => names.map(() => value)

  await press(sliders.at(-1)!, 'Home')
  const moments = sliders.map((one) => one.getAttribute('aria-valuetext')!.split(',')[0])
  expect(new Set(moments).size, `one crosshair: ${moments.join(', ')}`).toBe(1)
  expect(sliders.map((one) => one.getAttribute('aria-valuenow'))).toEqual(all('0'))

  await press(sliders.at(-1)!, '+')
  await vi.waitFor(() => expect(lengths()).toEqual(all(hour / 2)), { timeout: within(20_000) })
  const back = () => screen.queryAllByRole('button', { name: 'Back to 1 h' })
  expect(back()).toHaveLength(names.length)
  await act(async () => void fireEvent.click(back()[0]!))
  expect(back()).toEqual([])

  const range = (name: string) => inside(groups[0]!).getByRole('radio', { name })
  await act(async () => void fireEvent.click(range('6 h')))
  await vi.waitFor(() => expect(lengths()).toEqual(all(6 * hour)), { timeout: within(20_000) })
  // the next test begins with the latest choice
  await act(async () => void fireEvent.click(range('1 h')))
})
