import { createSignal } from '../../lib/signal.ts'

/** The moment that all charts of a view point at. */
export interface Crosshair {
  /** epoch ms; undefined: none */
  get(): number | undefined
  subscribe(listener: () => void): () => void
  point(at: number | undefined): void
}

export function createCrosshair(): Crosshair {
  let pointed: number | undefined
  const { subscribe, emit } = createSignal()
  return {
    get: () => pointed,
    subscribe,
    point(at) {
      if (at === pointed) return
      pointed = at
      emit()
    },
  }
}
