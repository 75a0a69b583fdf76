import type { AlertChange, Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import type { AlertStore } from '../db/alerts.ts'
import { createWriteBehind } from '../timing/write-behind.ts'
import { toAlertRow, toHistoryRow } from './rows.ts'

/** Episodes per transaction. Other database calls wait for each transaction. */
export const batchEpisodes = 500
/** Ended episodes queued while the disk refuses writes. Above this number the oldest are dropped. */
export const mostEnded = 10_000

/** Write-behind for alerts: the last change of each episode, in common transactions. */
export interface AlertWriter {
  /** A refresh waits for `settle`, or for an important change of the same alert. */
  take(changes: readonly AlertChange[]): void
  /** Resolves when the disk has accepted or refused all changes so far. */
  write(): Promise<void>
  /** Writes refreshes too. The history shows them from memory, so it gets no row. */
  settle(): Promise<void>
  /** The error while the disk refuses writes. */
  refusal(): unknown
  /** Stops the retries. */
  stop(): void
}

interface Pending {
  change: AlertChange
  hasHistory: boolean
}

export function createAlertWriter(store: Pick<AlertStore, 'write'>, clock: Clock, log: Logger): AlertWriter {
  /** by alert */
  const refreshes = new Map<string, AlertChange>()
  const writer = createWriteBehind<Pending>({
    clock,
    // serialized here, a few hundred at a time
    write(pending) {
      const alerts = new Map(pending.map(({ change }) => [change.stored.alert.id, change]))
      return store.write({
        alerts: [...alerts.values()].map(toAlertRow),
        history: pending.filter(({ hasHistory }) => hasHistory).map(({ change }) => toHistoryRow(change)),
      })
    },
    batch: batchEpisodes,
    bound: mostEnded,
    mayDrop: ({ change }) => change.ending !== undefined,
    onRefused: (err) => log.error({ err }, 'cannot store alerts; they are shown, and stored later'),
    onRecovered: (dropped) => log.info({ dropped }, 'alerts can be stored again'),
    onDropped: () =>
      log.error(
        { kept: mostEnded },
        'too many alerts resolved while the database cannot be written; the oldest are not recorded',
      ),
  })

  return {
    take(changes) {
      for (const change of changes) {
        const { alert, episode } = change.stored
        if (change.what === 'refreshed') {
          refreshes.set(alert.id, change)
          continue
        }
        refreshes.delete(alert.id)
        writer.put([{ change, hasHistory: true }], episode)
      }
    },
    write: writer.flush,
    settle() {
      for (const change of refreshes.values()) {
        const { episode } = change.stored
        const hasHistory = writer.waiting(episode)?.[0]?.hasHistory ?? false
        writer.put([{ change, hasHistory }], episode)
      }
      refreshes.clear()
      return writer.flush()
    },
    refusal: writer.refusal,
    stop: writer.stop,
  }
}
