import type { AlertChange, Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import type { AlertStore } from '../db/alerts.ts'
import { oneAtATime } from '../one-at-a-time.ts'
import { toAlertRow, toHistoryRow } from './rows.ts'

/** What the disk did not take is tried again after that. */
export const retryMs = 5_000
/** Alerts of one transaction: everybody else who wants the disk waits for it. */
export const mostAtOnce = 500

/** Episodes that ended while the disk refuses; of more the oldest are dropped, and counted. */
export const mostEnded = 10_000

/** Brings changes of alerts to the disk: all that came together in one transaction, the last of each alone. */
export interface Keeper {
  /** What is merely fresher waits for `settle`, or for something of the same alert that matters. */
  take(changes: readonly AlertChange[]): void
  /** When the disk has taken what came so far, or has refused it. */
  write(): Promise<void>
  /** The same with what is merely fresher; the history shows it from memory. */
  settle(): Promise<void>
  /** Why the disk has not taken everything yet, while it has not. */
  refusal(): unknown
  /** What is refused from now on is not tried again. */
  stop(): void
}

export function createKeeper(store: Pick<AlertStore, 'write'>, clock: Clock, log: Logger): Keeper {
  // As they came: thousands at once are put into text some hundred at a time, when it is their turn.
  const alerts = new Map<string, AlertChange>()
  const history = new Map<string, AlertChange>()
  const fresher = new Map<string, AlertChange>()
  // One that is refused comes again: nothing newer may be on the disk by then.
  const inTurn = oneAtATime()
  /** of those that wait the ones that ended, the oldest first, with their alert */
  const ended = new Map<string, string>()
  let dropped = 0
  let refusal: unknown
  let cancelRetry = () => {}
  let isStopped = false

  async function write(): Promise<void> {
    cancelRetry()
    const due = [...alerts.keys()]
    try {
      for (let from = 0; from < due.length; from += mostAtOnce)
        await writeSome(due.slice(from, from + mostAtOnce))
      if (refusal !== undefined) log.info({ dropped }, 'alerts can be stored again')
      dropped = 0
      refusal = undefined
    } catch (err) {
      if (refusal === undefined)
        log.error({ err }, 'alerts could not be stored; they are shown, and stored when it is possible')
      refusal = err
      if (!isStopped) cancelRetry = clock.after(retryMs, () => void inTurn(write))
    }
  }

  /** An alert and its rows in the history together; what has changed meanwhile is written after it. */
  async function writeSome(some: readonly string[]) {
    const ids = new Set(some)
    const own = some.flatMap((id) => alerts.get(id) ?? [])
    const rows = [...history.values()].filter(({ stored }) => ids.has(stored.alert.id))
    await store.write({ alerts: own.map(toAlertRow), history: rows.map(toHistoryRow) })
    for (const change of own)
      if (alerts.get(change.stored.alert.id) === change) alerts.delete(change.stored.alert.id)
    for (const change of rows) {
      const { episode } = change.stored
      if (history.get(episode) !== change) continue
      history.delete(episode)
      ended.delete(episode)
    }
  }

  function keep(change: AlertChange) {
    fresher.delete(change.stored.alert.id)
    alerts.set(change.stored.alert.id, change)
    history.set(change.stored.episode, change)
    ended.delete(change.stored.episode)
    if (change.ending === undefined) return
    ended.set(change.stored.episode, change.stored.alert.id)
    if (ended.size > mostEnded) dropOldest()
  }

  /** What ended first is missed least. An alert that is open again keeps its row. */
  function dropOldest() {
    const [episode, id] = ended.entries().next().value!
    ended.delete(episode)
    history.delete(episode)
    if (alerts.get(id)?.ending !== undefined) alerts.delete(id)
    if (dropped++ === 0)
      log.error(
        { kept: mostEnded },
        'too many alerts ended while the disk refuses; the oldest are not recorded',
      )
  }

  return {
    take(changes) {
      for (const change of changes) {
        if (change.what === 'refreshed') fresher.set(change.stored.alert.id, change)
        else keep(change)
      }
    },
    write: () => inTurn(write),
    settle() {
      for (const [id, change] of fresher) alerts.set(id, change)
      fresher.clear()
      return inTurn(write)
    },
    refusal: () => refusal,
    stop() {
      isStopped = true
      cancelRetry()
    },
  }
}
