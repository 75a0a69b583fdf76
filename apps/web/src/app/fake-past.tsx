import {
  alertDefaults,
  type AlertHistoryEntry,
  getAlertConfig,
  getAlertHistory,
  getAlertHistoryCount,
  getHistoryChanges,
  getHistorySeries,
  getHistoryState,
  getVersion,
  type HistoryChange,
  type PastState,
} from '@pulse/contract'
import type { Api } from '../api/client.ts'
import { aLive } from '../live/fake-live.ts'
import { aBuild } from '../parts/updates/fake-build.ts'
import { showPages } from './fake-app.tsx'
import { signedIn } from './fake-shell.tsx'
import type { Page } from './routes.ts'

export interface PastServer {
  /** epoch ms; undefined: nothing is stored yet */
  oldest?: number | undefined
  state: (at: number, slice: string) => Promise<PastState>
  live?: Parameters<typeof aLive>[0]
  /** of all times */
  changes?: readonly HistoryChange[]
  alerts?: readonly AlertHistoryEntry[]
  table: readonly Page[]
  path: string
}

interface Query {
  at?: number
  slice?: string
  from?: number
  to?: number
  kind?: string
  resourceId?: string
  startTime?: string
  endTime?: string
}

/** The shell with pages, and a server that has a history. It answers for the time that it is asked about. */
export async function showPast(given: PastServer) {
  const { state, live = {}, changes = [], alerts = [], table, path } = given
  const oldest = 'oldest' in given ? given.oldest : 0
  const calls: { method: string; path: string }[] = []
  const call = async (
    { path, method }: { path: string; method: string },
    { query = {} }: { query?: Query } = {},
  ) => {
    calls.push({ method, path })
    if (path === getHistoryState.path) return state(query.at!, query.slice!)
    if (path === getHistoryChanges.path)
      return {
        changes: changes.filter((one) => isChangeOf(one, query)),
        ...(oldest !== undefined && { oldest }),
      }
    if (path === getHistorySeries.path) return { tier: 'minute', from: query.from, to: query.to, series: [] }
    if (path === getAlertHistory.path) return alerts.filter((one) => isAlertOf(one, query))
    if (path === getAlertHistoryCount.path) return { count: 0 }
    if (path === getAlertConfig.path) return { ...alertDefaults, activationState: 'active' }
    if (path === getVersion.path) return aBuild()
    return {}
  }
  const now = aLive(live)
  const router = await showPages({
    table,
    path,
    live: now,
    api: { call: call as Api['call'], send: async () => Response.json({}) },
    status: signedIn,
  })
  return { router, now, calls }
}

const isChangeOf = ({ at, kind }: HistoryChange, { from = 0, to = Infinity, kind: kinds }: Query): boolean =>
  from <= at && at < to && (kinds === undefined || kinds.split(',').includes(kind))

/** A filter of alerts is compared with their start. */
const isAlertOf = (
  one: AlertHistoryEntry,
  { resourceId = one.resourceId, startTime = one.startTime, endTime = one.startTime }: Query,
): boolean => one.resourceId === resourceId && startTime <= one.startTime && one.startTime <= endTime
