import { useCallback, useSyncExternalStore } from 'react'
import { useTextScale } from '../../lib/text-scale.ts'

/** Whether the window matches the media query. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches)
}

/** px at the default text size; a table of machines has space for rates from this width on */
const ROOMY = 1_088

export function useNarrow(): boolean {
  // a media query in rem uses the browser's text size, not the page's
  return useMedia(`(width < ${ROOMY * useTextScale()}px)`)
}

/** Below 640 px at the default text size, rows have two lines and tables have no columns. */
export const usePhone = (): boolean => useMedia('(width < 40rem)')
