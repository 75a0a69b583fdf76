import type { Clock } from '@pulse/domain'
import { createTicker, type Ticker } from '../timing/ticker.ts'

const probeMs = 2_000
/** It may only have been one connection. */
const firstMs = 500

interface OutageWatch {
  /** undefined: the server answers */
  readonly why: string | undefined
  /** A call failed because of it. */
  failing(why: string): void
  stop(): void
}

interface OutageEdges {
  clock: Pick<Clock, 'monotonic' | 'after'>
  /** Rejects while it lasts. */
  probe: () => Promise<unknown>
  onBegin: (why: string) => void
  onEnd: () => void
}

/** Only the probe decides that an outage is over: a call may succeed where the next one fails. */
export function watchOutage({ clock, probe, onBegin, onEnd }: OutageEdges): OutageWatch {
  let probing: Ticker | undefined
  let reason: string | undefined
  function stop() {
    probing?.stop()
    probing = undefined
    reason = undefined
  }
  return {
    get why() {
      return reason
    },
    failing(why) {
      if (probing) return
      reason = why
      onBegin(why)
      const run = async () => {
        await probe()
        if (!probing) return
        stop()
        onEnd()
      }
      // the first refusal has already been reported
      probing = createTicker({ clock, intervalMs: probeMs, firstMs, run, onError: () => {} })
    },
    stop,
  }
}
