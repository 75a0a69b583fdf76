import { isDamage } from './damage.ts'
import type { HistoryFile } from './history-file.ts'
import type { Maintenance } from './messages.ts'

/** The log may have changes of a thing for so much longer than minutes: it is removed by the day. */
const logLateMs = 2 * 86_400_000

/** Moves what is over into blocks and removes what is too old, in steps. */
export function* maintain(
  { store, things, past, retention, demandRoom, shrink }: HistoryFile,
  { now, monotonic, keepMs }: Maintenance,
): Generator<void, void> {
  const present = retention.now(now, monotonic)
  const failures: unknown[] = []
  /** One that fails for long must not keep the others from their work. */
  function* attempt(work: () => Generator<void, void>) {
    try {
      yield* work()
    } catch (error) {
      failures.push(error)
    }
  }

  yield* attempt(function* () {
    demandRoom()
    yield* past.maintain(now, present, keepMs.minute ?? Infinity)
  })
  yield* attempt(function* () {
    demandRoom()
    yield* store.compact(now)
  })
  // What is too old is removed even from a full disk.
  yield* attempt(() => store.retain(present, keepMs))
  yield* attempt(() => things.prune(present - (keepMs.minute ?? Infinity) - logLateMs))
  yield* attempt(shrink)
  retention.save()
  if (failures.length > 0) throw failures.find(isDamage) ?? failures[0]
}
