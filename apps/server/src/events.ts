import type { LiveEvent } from '@pulse/contract'
import type { Principal } from './auth/principal.ts'
import { createSignal, type OnSignal } from './signal.ts'

type IsMeant = (principal: Principal) => boolean

/** Sends events other than records to browsers. */
export interface EventPublisher {
  /** Sends an event to all open pages that may read it, or only to those that `isMeant` selects. */
  publish(event: LiveEvent, isMeant?: IsMeant): void
  /** Sends the documented state soon: a user has just changed something and waits for the result. */
  refresh(): void
}

/** The event bus. Every area may publish; the area that owns the sockets subscribes. */
export interface EventBus extends EventPublisher {
  onEvent: OnSignal<[event: LiveEvent, isMeant?: IsMeant]>
  onRefresh: OnSignal
}

export function createEventBus(): EventBus {
  const published = createSignal<[event: LiveEvent, isMeant?: IsMeant]>()
  const refreshed = createSignal()
  return {
    publish: published.emit,
    refresh: refreshed.emit,
    onEvent: published.on,
    onRefresh: refreshed.on,
  }
}
