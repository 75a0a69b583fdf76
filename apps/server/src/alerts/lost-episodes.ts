import type { StoredAlert } from '@pulse/domain'
import type { Logger } from 'pino'
import type { AlertStore } from '../db/alerts.ts'
import { toHistoryEntry } from './rows.ts'

/** Entries of the history whose alert is lost would last for ever: they ended when it was last heard of them. */
export async function endLostEpisodes(
  store: Pick<AlertStore, 'openHistory' | 'write'>,
  alerts: readonly StoredAlert[],
  log: Logger,
): Promise<void> {
  const known = new Set(alerts.map(({ episode }) => episode))
  const lost = (await store.openHistory()).filter(({ episode }) => !known.has(episode))
  if (lost.length === 0) return
  const history = lost.map((row) => {
    const duration_ms = (toHistoryEntry(row, undefined)?.duration ?? 0) * 1000
    return { ...row, ended_at: row.started_at + duration_ms, duration_ms }
  })
  try {
    await store.write({ alerts: [], history })
    log.warn({ entries: lost.length }, 'entries of the history whose alert is lost were ended')
  } catch (err) {
    log.error({ err }, 'entries of the history whose alert is lost could not be ended')
  }
}
