import type { LiveEvent } from '@pulse/contract'

export type LiveEventType = LiveEvent['type']
export type LiveEventOf<T extends LiveEventType> = Extract<LiveEvent, { type: T }>

/**
 * The compiler checks that the list is complete. Server and page are built together, so the type alone
 * identifies an event.
 */
const eventTypes: Record<LiveEventType, true> = {
  welcome: true,
  ping: true,
  pong: true,
  alert: true,
  alertResolved: true,
  alertConfigChanged: true,
  'update:progress': true,
  settingsUpdate: true,
  node_auto_registered: true,
  node_deleted: true,
  nodes_changed: true,
  discovery_started: true,
  discovery_progress: true,
  discovery_server_found: true,
  discovery_update: true,
  discovery_complete: true,
  error: true,
}

/** Undefined for unknown events. */
export function parseEvent(text: string): LiveEvent | undefined {
  try {
    const value = JSON.parse(text) as LiveEvent | null
    if (!Object.hasOwn(eventTypes, value?.type ?? '')) return undefined
    return value?.type === 'error' || typeof value?.data === 'object' ? (value ?? undefined) : undefined
  } catch {
    return undefined
  }
}

export interface LiveEvents {
  on<T extends LiveEventType>(type: T, handler: (event: LiveEventOf<T>) => void): () => void
  emit(event: LiveEvent): void
}

export function createLiveEvents(): LiveEvents {
  const handlers = new Map<LiveEventType, Set<(event: never) => void>>()
  return {
    on(type, handler) {
      let set = handlers.get(type)
      if (!set) handlers.set(type, (set = new Set()))
      const own = set
      own.add(handler)
      return () => void own.delete(handler)
    },
    emit(event) {
      for (const handler of handlers.get(event.type) ?? []) handler(event as never)
    },
  }
}
