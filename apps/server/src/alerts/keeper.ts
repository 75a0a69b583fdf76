import type { AlertChange, Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import type { AlertStore } from '../db/alerts.ts'
import type { AlertHistoryRow, AlertRow } from '../db/schema.ts'
import { toAlertRow, toHistoryRow } from './rows.ts'

/** What the disk did not take is tried again after that. */
export const retryMs = 5_000

/** Brings changes of alerts to the disk: all that came together in one transaction, the last of each alone. */
export interface Keeper {
  /** What is merely fresher waits for `settle`, or for something of the same alert that matters. */
  take(changes: readonly AlertChange[]): void
  /** When the disk has taken what came so far, or has refused it. */
  write(): Promise<void>
  /** The same with what is merely fresher; the history shows it from memory. */
  settle(): Promise<void>
  stop(): void
}

export function createKeeper(store: Pick<AlertStore, 'write'>, clock: Clock, log: Logger): Keeper {
  let alerts = new Map<string, AlertRow>()
  let history = new Map<string, AlertHistoryRow>()
  const fresher = new Map<string, AlertChange>()
  let isFailing = false
  let cancelRetry = () => {}

  async function write(): Promise<void> {
    cancelRetry()
    if (alerts.size === 0 && history.size === 0) return
    const [ownAlerts, ownHistory] = [alerts, history]
    alerts = new Map()
    history = new Map()
    try {
      await store.write({ alerts: [...ownAlerts.values()], history: [...ownHistory.values()] })
      if (isFailing) log.info('alerts can be stored again')
      isFailing = false
    } catch (err) {
      // what has changed meanwhile is newer
      alerts = new Map([...ownAlerts, ...alerts])
      history = new Map([...ownHistory, ...history])
      if (!isFailing)
        log.error({ err }, 'alerts could not be stored; they are shown, and stored when it is possible')
      isFailing = true
      cancelRetry = clock.after(retryMs, () => void write())
    }
  }

  function keep(change: AlertChange) {
    fresher.delete(change.stored.alert.id)
    alerts.set(change.stored.alert.id, toAlertRow(change))
    history.set(change.stored.episode, toHistoryRow(change))
  }

  return {
    take(changes) {
      for (const change of changes) {
        if (change.what === 'refreshed') fresher.set(change.stored.alert.id, change)
        else keep(change)
      }
    },
    write,
    async settle() {
      for (const [id, change] of fresher) alerts.set(id, toAlertRow(change))
      fresher.clear()
      await write()
    },
    stop: () => cancelRetry(),
  }
}
