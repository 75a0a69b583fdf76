import { useState, useSyncExternalStore } from 'react'

/** What of the document the window shows, px. */
interface WindowView {
  top: number
  height: number
}

const look = (): WindowView => ({ top: window.scrollY, height: window.innerHeight })

// Kept between scrollings: asking the window lays out the page, which is dear just after something was drawn.
let view: WindowView | undefined
const listeners = new Set<() => void>()

function onChange() {
  view = look()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('scroll', onChange, { passive: true })
    window.addEventListener('resize', onChange)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    window.removeEventListener('scroll', onChange)
    window.removeEventListener('resize', onChange)
  }
}

/** What is made of it; drawn anew when that is something else. */
export function useWindowView<T extends string | number>(select: (view: WindowView) => T): T {
  // whoever begins to watch looks before it draws anything; the others are told what happens
  useState(() => void (view = listeners.size === 0 ? look() : view))
  return useSyncExternalStore(subscribe, () => select((view ??= look())))
}
