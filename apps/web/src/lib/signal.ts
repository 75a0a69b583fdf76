export interface Signal<Args extends unknown[] = []> {
  subscribe(listener: (...args: Args) => void): () => void
  emit(...args: Args): void
}

/** Listeners for events outside React. */
export function createSignal<Args extends unknown[] = []>(): Signal<Args> {
  const listeners = new Set<(...args: Args) => void>()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    emit(...args) {
      for (const listener of listeners) listener(...args)
    },
  }
}
