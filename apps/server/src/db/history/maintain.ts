import type { HistoryFile } from './history-file.ts'
import type { Maintenance } from './messages.ts'

/** Moves what is over into blocks and removes what is too old, in steps. */
export function* maintain(
  { store, things, past, retention, demandRoom }: HistoryFile,
  { now, monotonic, keepMs }: Maintenance,
): Generator<void, void> {
  const present = retention.now(now, monotonic)
  let failure: unknown
  try {
    demandRoom()
    yield* past.maintain(now, present, keepMs.minute ?? Infinity)
    yield* store.compact(now)
  } catch (error) {
    failure = error
  }
  // What is too old is removed even from a full disk.
  yield* store.retain(present, keepMs)
  if (keepMs.minute !== undefined) yield* things.prune(present - keepMs.minute)
  retention.save()
  if (failure !== undefined) throw failure
}
