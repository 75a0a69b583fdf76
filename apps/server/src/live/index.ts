import type { LiveEvent } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { Logger } from 'pino'
import type { Principal } from '../auth/principal.ts'
import type { OnSignal } from '../signal.ts'
import type { PlainView } from '../state/plain-view.ts'
import type { State } from '../state/state.ts'
import { createHub, type Hub, type HubEdges } from './hub.ts'
import { socketNeed } from './needs.ts'

/** So that an answer that renews somebody's cookie is there before its socket closes. */
const LATER_MS = 250

export interface LiveEdges {
  /** as it may be seen from outside */
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
  /** whatever may end somebody's right to an open socket */
  rightsChange: readonly OnSignal[]
  /** what others want open pages to hear */
  events: OnSignal<[event: LiveEvent, isMeant: (principal: Principal) => boolean]>
  clock: Clock
  log: Logger
}

/** The socket. It is closed with the web server that it came by. */
export function liveArea(edges: LiveEdges): Hub & { name: string } {
  const { shown, mask, access, clock } = edges
  const hub = createHub({
    ...edges,
    state: shown,
    identify: (request) => access.toSocket(socketNeed, request),
    countRefusal: access.countRefusedSocket,
    touch: access.touch,
  })
  const publish: Hub['publish'] = (event, isMeant) => hub.publish(mask ? mask.deep(event) : event, isMeant)
  for (const on of edges.rightsChange) on(() => void clock.after(LATER_MS, hub.revalidate))
  edges.events(publish)
  return { ...hub, name: 'the live connections', publish }
}
