import type { Clock } from '@pulse/domain'
import type { Troubles } from '../troubles/troubles.ts'

/** A slow failure is shown at once, a fast one after several consecutive failures. */
const slowMs = 10_000
const failuresUntilShown = 3

/** The health of one channel. Its card shows it; all readers see a notice while the channel fails. */
export interface Health {
  /** epoch ms */
  lastDeliveredAt: number | undefined
  failingSince: number | undefined
  lastError: string | undefined
  /** since the start: delivered messages, failed attempts, abandoned messages */
  readonly counts: { delivered: number; failed: number; givenUp: number }
  delivered(): void
  /** `isFinal`: the message is not retried. */
  failed(reason: string, tookMs: number, isFinal: boolean): void
  /** The channel was removed, or its settings changed. */
  forget(): void
}

export function createHealth(id: string, name: () => string, troubles: Troubles, clock: Clock): Health {
  const trouble = `notify-${id}`
  let failures = 0
  let isShown = false

  /** Every reader sees the text, so it names neither the channel nor the receiver's answer. */
  function end(text: string) {
    if (isShown) troubles.end(trouble, text)
    isShown = false
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
      if (isShown || !(isFinal || tookMs >= slowMs || failures >= failuresUntilShown)) return
      isShown = true
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
