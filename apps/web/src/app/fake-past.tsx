import {
  alertDefaults,
  getAlertConfig,
  getAlertHistory,
  getAlertHistoryCount,
  getHistoryChanges,
  getHistorySeries,
  getHistoryState,
  getVersion,
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
  table: readonly Page[]
  path: string
}

/** The shell with pages, and a server that has a history. */
export async function showPast(given: PastServer) {
  const { state, live = {}, table, path } = given
  const oldest = 'oldest' in given ? given.oldest : 0
  const calls: { method: string; path: string }[] = []
  const call = async (
    { path, method }: { path: string; method: string },
    input?: { query?: { at?: number; slice?: string } },
  ) => {
    calls.push({ method, path })
    if (path === getHistoryState.path) return state(input!.query!.at!, input!.query!.slice!)
    if (path === getHistoryChanges.path) return { changes: [], ...(oldest !== undefined && { oldest }) }
    if (path === getHistorySeries.path) return { tier: 'minute', from: 0, to: 1, series: [] }
    if (path === getAlertHistory.path) return []
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
