import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import type { EventBus } from '../events.ts'
import type { OnSignal } from '../signal.ts'
import type { PlainView } from '../state/plain-view.ts'
import type { State } from '../state/state.ts'
import { createHub, type Hub, type HubEdges } from './hub.ts'
import { socketNeed } from './messages.ts'

/** A delay, so that an answer that renews a user's cookie arrives before the socket closes. */
const LATER_MS = 250

export interface LiveEdges extends Pick<EventBus, 'onEvent' | 'onRefresh'> {
  /** the state that clients may see */
  shown: State
  view: PlainView
  mask: { deep<T>(value: T): T } | undefined
  access: Pick<HubEdges, 'touch'> & {
    toSocket(
      need: typeof socketNeed,
      ...request: Parameters<HubEdges['identify']>
    ): ReturnType<HubEdges['identify']>
    countRefusedSocket: HubEdges['countRefusal']
  }
  /** every event that can end a user's right to an open socket */
  rightsChange: readonly OnSignal[]
  clock: Clock
  log: Logger
}

/** The sockets of browsers and other clients. The web server closes them before it stops. */
export function liveArea(edges: LiveEdges): Omit<Hub, 'publish' | 'refresh'> & { name: string } {
  const { shown, mask, access, clock } = edges
  const hub = createHub({
    ...edges,
    state: shown,
    identify: (request) => access.toSocket(socketNeed, request),
    countRefusal: access.countRefusedSocket,
    touch: access.touch,
  })
  for (const on of edges.rightsChange) on(() => void clock.after(LATER_MS, hub.revalidate))
  edges.onEvent((event, isMeant) => hub.publish(mask ? mask.deep(event) : event, isMeant))
  edges.onRefresh(hub.refresh)
  return { ...hub, name: 'the live connections' }
}
