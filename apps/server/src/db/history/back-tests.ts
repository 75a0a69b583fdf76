import { backTest, type BackTestResult, type HistoryStore } from '@pulse/domain'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fromSent, type SentBackTest } from './sent-back-test.ts'

export interface BackTests {
  /** Undefined if a later one of the same user has replaced it. */
  run(user: string, request: SentBackTest, store: HistoryStore): Promise<BackTestResult | undefined>
}

/** Plays one history at a time, in steps between the other requests of the thread. */
export function createBackTests(): BackTests {
  const latest = new Map<string, SentBackTest>()
  let before: Promise<unknown> = Promise.resolve()

  async function play(user: string, request: SentBackTest, store: HistoryStore) {
    const work = played(request, store)
    try {
      while (latest.get(user) === request) {
        const step = work.next()
        if (step.done) return step.value
        await nextTurn()
      }
      return undefined
    } finally {
      if (latest.get(user) === request) latest.delete(user)
    }
  }

  return {
    run(user, request, store) {
      latest.set(user, request)
      const own = before.then(() => play(user, request, store))
      before = own.catch(() => undefined)
      return own
    },
  }
}

function* played(sent: SentBackTest, store: HistoryStore): Generator<void, BackTestResult> {
  return yield* backTest(yield* fromSent(sent), store)
}
