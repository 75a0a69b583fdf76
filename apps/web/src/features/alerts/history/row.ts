import type { Alert } from '@pulse/contract'
import { endWord, isOfSites, nodeText, siteTerms } from '@pulse/domain'
import { formatUptime } from '../../../lib/format.ts'
import type { LiveReader } from '../../../live/store.ts'

type HistoryStatus = 'active' | 'acknowledged' | 'resolved'

/** A past or active alert, as a table row. */
export interface HistoryRow {
  /** the same id can fire again; each alert episode is a row */
  key: string
  alert: KeptAlert
  level: 'critical' | 'warning'
  status: HistoryStatus
  /** epoch ms */
  startedAt: number
  /** absent while firing */
  lastedMs?: number
}

/** An alert as stored in the history. */
export type KeptAlert = Alert & {
  endTime?: string | undefined
  /** s, by a monotonic clock */
  duration?: number | undefined
}

/** Active alerts and the stored history, newest first. */
export function toRows(active: Iterable<Alert>, history: readonly KeptAlert[]): readonly HistoryRow[] {
  const rows = new Map<string, HistoryRow>()
  for (const alert of active) add(rows, alert, { status: 'active' })
  for (const alert of history) {
    if (rows.has(keyOf(alert))) continue
    const status = alert.acknowledged ? 'acknowledged' : 'resolved'
    add(rows, alert, { status, lastedMs: lastedMsOf(alert) })
  }
  return [...rows.values()].toSorted((a, b) => b.startedAt - a.startedAt || (a.key < b.key ? -1 : 1))
}

const lastedMsOf = ({ duration, endTime, lastSeen, startTime }: KeptAlert): number =>
  duration === undefined
    ? Date.parse(endTime ?? lastSeen ?? startTime) - Date.parse(startTime)
    : duration * 1000

function add(
  rows: Map<string, HistoryRow>,
  alert: KeptAlert,
  rest: Pick<HistoryRow, 'status' | 'lastedMs'>,
): void {
  const key = keyOf(alert)
  const level = alert.level === 'critical' ? 'critical' : 'warning'
  rows.set(key, { key, alert, level, startedAt: Date.parse(alert.startTime), ...rest })
}

const keyOf = ({ id, startTime }: Alert) => `${startTime} ${id}`

export function matches({ alert }: Pick<HistoryRow, 'alert'>, search: string): boolean {
  const terms = siteTerms(search)
  if (!isOfSites(alert.site, terms)) return false
  const wanted = terms.rest.trim().toLowerCase()
  if (!wanted) return true
  return [alert.resourceName, alert.message, alert.type, nodeText(alert), alert.node].some((text) =>
    text.toLowerCase().includes(wanted),
  )
}

/** `2d 4h`, `4h 12m`, `12m`; for an active alert, until now. */
export function durationText({ startedAt, lastedMs }: HistoryRow, now: number): string {
  const seconds = Math.max(0, (lastedMs ?? now - startedAt) / 1000)
  return seconds < 60 ? '0m' : formatUptime(seconds)
}

const openWords = { active: 'Active', acknowledged: 'Acknowledged' } as const

export const statusText = ({ status, alert }: Pick<HistoryRow, 'status' | 'alert'>): string =>
  status === 'resolved' ? endWord(alert) : openWords[status]

const ownType = ({ metadata }: Alert): string | undefined => {
  const known = metadata?.['resourceType']
  return typeof known === 'string' && known ? known : undefined
}

export const hasResourceType = (alert: Alert): boolean => ownType(alert) !== undefined

/** The alert's own type, else that of the resource with its name. */
export const resourceTypeOf = (alert: Alert, named: ReadonlyMap<string, string>): string =>
  ownType(alert) ?? named.get(alert.resourceName) ?? 'Unknown'

export const namedKinds = [
  'guests',
  'nodes',
  'storage',
  'dockerHosts',
  'dockerContainers',
  'pbs',
  'cephClusters',
] as const

/** Resource types by name; the first resource with a name wins. */
export function typesByName(live: LiveReader): ReadonlyMap<string, string> {
  const named = new Map<string, string>()
  const put = (type: string, ...names: readonly string[]) => {
    for (const name of names) if (name && !named.has(name)) named.set(name, type)
  }
  const guests = [...live.records('guests').values()]
  for (const { name, type } of guests) if (type === 'qemu') put('VM', name)
  for (const { name, type } of guests) if (type === 'lxc') put('CT', name)
  for (const { name, displayName } of live.records('nodes').values()) put('Node', name, displayName)
  for (const { name } of live.records('storage').values()) put('Storage', name)
  for (const { displayName, hostname } of live.records('dockerHosts').values())
    put('Docker Host', displayName, hostname)
  for (const { name } of live.records('dockerContainers').values()) put('Docker Container', name)
  for (const { name } of live.records('pbs').values()) put('PBS', name)
  for (const { name } of live.records('cephClusters').values()) put('Ceph', name)
  return named
}
