import type { StoredAlert } from '@pulse/domain'
import type { Logger } from 'pino'
import type { AlertStore } from '../db/alerts.ts'
import type { AlertHistoryRow } from '../db/schema.ts'
import { toHistoryEntry } from './rows.ts'

/**
 * An open history entry without an alert would never end. It ends at the time when the alert was last seen.
 */
export async function endLostEpisodes(
  store: Pick<AlertStore, 'openHistory' | 'write'>,
  alerts: readonly StoredAlert[],
  log: Logger,
): Promise<void> {
  const known = new Set(alerts.map(({ episode }) => episode))
  let entries = 0
  try {
    for await (const rows of store.openHistory()) {
      const history = rows.filter(({ episode }) => !known.has(episode)).map(ended)
      await store.write({ alerts: [], history })
      entries += history.length
    }
  } catch (err) {
    log.error({ err }, 'cannot close history entries of lost alerts')
  }
  if (entries > 0) log.warn({ entries }, 'closed history entries of lost alerts')
}

function ended(row: AlertHistoryRow): AlertHistoryRow {
  const duration_ms = (toHistoryEntry(row, undefined)?.duration ?? 0) * 1000
  return { ...row, ended_at: row.started_at + duration_ms, duration_ms }
}
