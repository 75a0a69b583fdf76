import {
  alertDefaults,
  type AlertHistoryEntry,
  type Endpoint,
  type Guest,
  getAlertConfig,
  getAlertHistory,
  getHistoryChanges,
  getHistorySeries,
  type HistoryChange,
  type PbsBackup,
  type PveBackup,
} from '@pulse/contract'
import { aGuest, aSecurityStatus } from '@pulse/testkit'
import { act, render } from '@testing-library/react'
import { ApiProvider } from '../../api/api.tsx'
import type { Api } from '../../api/client.ts'
import { QueryRoot } from '../../api/query-root.tsx'
import { SessionProvider, toSession } from '../../api/session.tsx'
import { aLive } from '../../live/fake-live.ts'
import { MomentProvider } from '../../lib/moment.tsx'
import { LiveProvider } from '../../live/live.tsx'
import { aPoint } from './fixtures.ts'
import { HistoryCharts } from './history-charts.tsx'
import type { HistoryAnswer } from './use-series.ts'

export interface SeriesCall {
  kind: string
  ids: string
  fields: string
  from: number
  to: number
  asOf: number
  points: number
}

/** A figure every minute, between 10 and 20 %. */
export const steady = ({ ids, fields, from, to }: SeriesCall): HistoryAnswer => ({
  tier: 'raw',
  from,
  to,
  series: ids.split(',').flatMap((id) =>
    fields.split(',').flatMap((field) => {
      if (field !== 'cpu' && field !== 'memory') return []
      const share = field === 'cpu' ? 0.01 : 1
      const first = Math.ceil(from / 60_000) * 60_000
      const times = Array.from(
        { length: Math.min(60, Math.ceil((to - first) / 60_000)) },
        (_, n) => first + n * 60_000,
      )
      return [
        {
          id,
          field,
          unit: field === 'cpu' ? 'ratio' : 'percent',
          points: times.map((at, n) => aPoint(at, (10 + (n % 10)) * share)),
          gaps: [],
        },
      ]
    }),
  ),
})

interface Options {
  id: string
  answer?: (call: SeriesCall) => HistoryAnswer | Promise<HistoryAnswer>
  alerts?: () => readonly AlertHistoryEntry[]
  /** newest first; those of backups are asked for apart */
  changes?: (cursor: string | undefined) => readonly HistoryChange[]
  /** of the answer after the one with that cursor */
  changesCursor?: (cursor: string | undefined) => string | undefined
  /** there are always older ones */
  olderBackups?: true
  guest?: Partial<Guest>
  /** by store id */
  others?: Readonly<Record<string, Partial<Guest>>>
  backups?: { pveBackups?: Record<string, PveBackup>; pbsBackups?: Record<string, PbsBackup> }
  /** of the past */
  moment?: number
}

/** The history of a guest in an opened row. */
export async function showHistory({
  id,
  answer = steady,
  alerts = () => [],
  changes = () => [],
  changesCursor = () => undefined,
  ...more
}: Options) {
  const { moment, guest, others = {}, backups, olderBackups } = more
  const calls: SeriesCall[] = []
  const changeCalls: unknown[] = []
  const backupCalls: unknown[] = []
  const alertCalls: unknown[] = []
  const api = {
    async call({ path }: Endpoint, input: { query: SeriesCall }) {
      if (path === getAlertConfig.path) return { ...alertDefaults, enabled: true }
      if (path === getAlertHistory.path) {
        alertCalls.push(input.query)
        return alerts()
      }
      if (path === getHistoryChanges.path) {
        const { cursor, what } = input.query as unknown as { cursor?: string; what: string }
        const areBackups = what.startsWith('backup')
        ;(areBackups ? backupCalls : changeCalls).push(input.query)
        const next = areBackups ? olderBackups && '1' : changesCursor(cursor)
        const found = changes(cursor).filter((one) => what.split(',').includes(one.what))
        return { changes: found, ...(next !== undefined && { cursor: next }) }
      }
      if (path !== getHistorySeries.path) throw new Error(`${path} is not answered`)
      calls.push(input.query)
      return answer(input.query)
    },
  } as unknown as Api
  const live = aLive({
    guests: {
      [id]: aGuest({ name: 'web', ...guest }),
      ...Object.fromEntries(Object.entries(others).map(([key, one]) => [key, aGuest(one)])),
    },
    ...backups,
  })
  const row = (open: boolean, at = moment) => (
    <ApiProvider api={api}>
      <LiveProvider live={live}>
        <SessionProvider session={toSession(aSecurityStatus(), async () => {})}>
          <QueryRoot>
            <MomentProvider moment={at}>
              {open && <HistoryCharts kind="guests" id={id} name="web" alertId="main-pve1-100" />}
            </MomentProvider>
          </QueryRoot>
        </SessionProvider>
      </LiveProvider>
    </ApiProvider>
  )
  const view = await act(async () => render(row(true)))
  return {
    calls,
    alertCalls,
    changeCalls,
    backupCalls,
    close: () => act(async () => view.rerender(row(false))),
    open: () => act(async () => view.rerender(row(true))),
    /** a step of the time machine */
    moveTo: (at: number) => act(async () => view.rerender(row(true, at))),
  }
}
