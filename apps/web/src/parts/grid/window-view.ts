import { useState, useSyncExternalStore } from 'react'

/** What of the document the window shows, px. */
interface WindowView {
  top: number
  height: number
}

const look = (): WindowView => ({ top: window.scrollY, height: window.innerHeight })

// Kept between scrollings: asking the window lays out the page, which is dear just after something was drawn.
let view: WindowView | undefined
let isWatched = false
const listeners = new Set<() => void>()

function onChange() {
  view = listeners.size > 0 ? look() : undefined
  for (const listener of listeners) listener()
}

/** From the first look on: a page that was just drawn may be scrolled before React lets anything in it subscribe. */
function watch() {
  if (isWatched) return
  isWatched = true
  window.addEventListener('scroll', onChange, { passive: true })
  window.addEventListener('resize', onChange)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** What is made of it; drawn anew when that is something else. */
export function useWindowView<T extends string | number>(select: (view: WindowView) => T): T {
  // whoever begins to watch looks before it draws anything; the others are told what happens
  useState(() => {
    watch()
    if (listeners.size === 0) view = look()
  })
  return useSyncExternalStore(subscribe, () => select((view ??= look())))
}
