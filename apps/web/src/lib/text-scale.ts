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

/** How large letters are set, 1 being usual: what is measured in px around them grows with it. */
export const useTextScale = (): number => useSyncExternalStore(subscribe, () => (scale ??= read()))

/** A length in px of usual letters, for a style. */
export const rem = (px: number): string => `${px / 16}rem`
