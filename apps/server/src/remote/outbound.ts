import type { Clock, Observation } from '@pulse/domain'
import type { Bus } from '../cluster/nats/bus.ts'
import { createFrameSender, type FrameSender } from '../cluster/frames/frame-sender.ts'
import type { State } from '../state/state.ts'

export interface OutboundEdges {
  bus: Bus
  site: string
  clock: Pick<Clock, 'monotonic' | 'after'>
  onFault: (error: unknown) => void
}

/** What the sources of this process say, on its way to the other processes. It keeps the newest of each source only. */
export interface Outbound {
  /** takes the place of a state, which this process does not have */
  state: Pick<State, 'observeInSteps' | 'forget'>
  /** The source belongs to this process from now on. `fence`: of its lease. */
  own(source: string, fence: string): void
  disown(source: string): void
  /** Whether the source has answered this process, or failed to. */
  hasHeard(source: string): boolean
  /** The line is back. */
  resend(): void
  stop(): void
}

export function createOutbound({ bus, site, clock, onFault }: OutboundEdges): Outbound {
  const senders = new Map<string, FrameSender>()
  const heard = new Set<string>()

  function disown(source: string) {
    senders.get(source)?.stop()
    senders.delete(source)
    heard.delete(source)
  }

  return {
    state: {
      async observeInSteps({ source, ...said }: Observation) {
        if (said.state !== undefined && said.state.health !== 'unknown') heard.add(source)
        senders.get(source)?.offer(said)
      },
      forget: disown,
    },
    own(source, fence) {
      const known = senders.get(source)
      if (known) known.renew(fence)
      else senders.set(source, createFrameSender({ bus, site, source, fence, clock, onFault }))
    },
    disown,
    hasHeard: (source) => heard.has(source),
    resend: () => senders.forEach((sender) => sender.resend()),
    stop: () => senders.forEach((sender) => sender.stop()),
  }
}
