import { useSyncExternalStore } from 'react'

/** Below 640 px rows have two lines and tables no columns. */
const query = '(width < 640px)'

function subscribe(listener: () => void): () => void {
  const media = window.matchMedia(query)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

export const usePhone = (): boolean => useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
