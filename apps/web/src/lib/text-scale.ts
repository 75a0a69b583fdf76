import { useSyncExternalStore } from 'react'

let scale: number | undefined

const read = (): number => (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16) / 16

function subscribe(listener: () => void): () => void {
  const onResize = () => {
    scale = read()
    listener()
  }
  window.addEventListener('resize', onResize)
  return () => window.removeEventListener('resize', onResize)
}

/** The text size relative to the default (1); lengths in px scale with it. */
export const useTextScale = (): number => useSyncExternalStore(subscribe, () => (scale ??= read()))

/** A CSS length for px at the default text size. */
export const rem = (px: number): string => `${px / 16}rem`
