import { useSyncExternalStore } from 'react'

/** Below 640 px, or more where letters are larger, rows have two lines and tables no columns. */
const query = '(width < 40rem)'

function subscribe(listener: () => void): () => void {
  const media = window.matchMedia(query)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

export const usePhone = (): boolean => useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
