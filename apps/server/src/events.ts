import type { LiveEvent } from '@pulse/contract'
import type { Principal } from './auth/principal.ts'
import { createSignal, type OnSignal } from './signal.ts'

type IsMeant = (principal: Principal) => boolean

/** What an area has to say to browsers beside its records. */
export interface EventPublisher {
  /** Sends an event to all open pages whose principal may read it, or only to those that `isMeant` selects. */
  publish(event: LiveEvent, isMeant?: IsMeant): void
  /** Sends the documented state soon: a user has just changed something and looks at the page. */
  refresh(): void
}

/** The event bus. Every area may publish; the area that holds the sockets subscribes. */
export interface EventBus extends EventPublisher {
  onEvent: OnSignal<[event: LiveEvent, isMeant?: IsMeant]>
  onRefresh: OnSignal
}

export function createEventBus(): EventBus {
  const published = createSignal<[event: LiveEvent, isMeant?: IsMeant]>()
  const refreshed = createSignal()
  return {
    publish: published.tell,
    refresh: refreshed.tell,
    onEvent: published.on,
    onRefresh: refreshed.on,
  }
}
