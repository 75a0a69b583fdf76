import type { Clock } from '@pulse/domain'
import type { Troubles } from '../troubles/troubles.ts'

/** A try that hangs that long is told at once, others when they have failed so often one after the other. */
const slowMs = 10_000
const tellingFailures = 3

/** How it goes with one way out, for its page, and for whoever has to know that nothing leaves. */
export interface Health {
  /** epoch ms */
  lastDeliveredAt: number | undefined
  failingSince: number | undefined
  lastError: string | undefined
  /** since the start: messages delivered, tries that failed, messages that were given up */
  readonly counts: { delivered: number; failed: number; givenUp: number }
  delivered(): void
  /** `isFinal`: it is not tried again. */
  failed(reason: string, tookMs: number, isFinal: boolean): void
  /** It is no way out any more, or another one. */
  forget(): void
}

export function createHealth(id: string, name: () => string, troubles: Troubles, clock: Clock): Health {
  const trouble = `notify-${id}`
  let failures = 0
  let isTold = false

  /** Every reader sees it: neither the channel nor what its receiver answered is in it. */
  function end(text: string) {
    if (isTold) troubles.end(trouble, text)
    isTold = false
    failures = 0
    health.failingSince = undefined
    health.lastError = undefined
  }

  const health: Health = {
    lastDeliveredAt: undefined,
    failingSince: undefined,
    lastError: undefined,
    counts: { delivered: 0, failed: 0, givenUp: 0 },
    delivered() {
      health.counts.delivered++
      health.lastDeliveredAt = clock.now()
      end('A notification channel failed for a while. It works again.')
    },
    failed(reason, tookMs, isFinal) {
      failures += 1
      health.counts.failed++
      if (isFinal) health.counts.givenUp++
      health.failingSince ??= clock.now()
      health.lastError = reason
      if (isTold || !(isFinal || tookMs >= slowMs || failures >= tellingFailures)) return
      isTold = true
      troubles.begin(
        trouble,
        'A notification channel is failing. The delivery log shows administrators which one and why.',
        `${name()}: ${reason}`,
      )
    },
    forget: () => end('A failing notification channel was changed or removed.'),
  }
  return health
}
