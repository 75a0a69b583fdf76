import type { LiveEvent } from '@pulse/contract'

export type LiveEventType = LiveEvent['type']
export type LiveEventOf<T extends LiveEventType> = Extract<LiveEvent, { type: T }>

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
