import type { HistoryFile } from './history-file.ts'
import type { Maintenance } from './messages.ts'

/** Moves what is over into blocks and removes what is too old, in steps. */
export function* maintain(
  { store, things, retention }: Pick<HistoryFile, 'store' | 'things' | 'retention'>,
  { now, monotonic, keepMs }: Maintenance,
): Generator<void, void> {
  const present = retention.now(now, monotonic)
  yield* store.compact(now)
  yield* store.retain(present, keepMs)
  if (keepMs.minute !== undefined) yield* things.prune(present - keepMs.minute)
  retention.save()
}
