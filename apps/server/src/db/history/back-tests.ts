import { backTest, type BackTestResult, type SampleReads, type Step } from '@pulse/domain'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fromSent, type SentBackTest } from './sent-back-test.ts'

export interface BackTests {
  /** Undefined if a later one of the same user has replaced it. */
  run(user: string, request: SentBackTest, samples: SampleReads): Promise<BackTestResult | undefined>
}

interface Wanted {
  /** absent: it was replaced */
  request?: SentBackTest | undefined
  replace(): void
}

/** Plays one history at a time, in steps between the other requests of the thread. */
export function createBackTests(): BackTests {
  const latest = new Map<string, Wanted>()
  let before: Promise<unknown> = Promise.resolve()

  async function play(user: string, own: Wanted, samples: SampleReads) {
    if (!own.request) return undefined
    const work = played(own.request, samples)
    try {
      while (own.request) {
        const step = work.next()
        if (step.done) return step.value
        await (step.value ?? nextTurn())
      }
      return undefined
    } finally {
      if (latest.get(user) === own) latest.delete(user)
    }
  }

  return {
    run(user, request, samples) {
      latest.get(user)?.replace()
      const { promise: replaced, resolve } = Promise.withResolvers<undefined>()
      const own: Wanted = {
        request,
        // Its caller has to make room for others, although its turn has not come.
        replace() {
          own.request = undefined
          resolve(undefined)
        },
      }
      latest.set(user, own)
      const playing = before.then(() => play(user, own, samples))
      before = playing.catch(() => undefined)
      return Promise.race([playing, replaced])
    },
  }
}

function* played(sent: SentBackTest, samples: SampleReads): Generator<Step, BackTestResult> {
  return yield* backTest(yield* fromSent(sent), samples)
}
