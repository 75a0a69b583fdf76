/** An event. It calls its listeners in the order in which they subscribed. */
export interface Signal<T extends unknown[] = []> {
  /** Returns the function that unsubscribes. */
  on(listener: (...facts: T) => void): () => void
  emit(...facts: T): void
}

/** The subscriber's side of a signal. */
export type OnSignal<T extends unknown[] = []> = Signal<T>['on']

export function createSignal<T extends unknown[] = []>(): Signal<T> {
  const listeners = new Set<(...facts: T) => void>()
  return {
    on(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    emit(...facts) {
      for (const listener of listeners) listener(...facts)
    },
  }
}
