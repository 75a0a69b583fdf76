import { useCallback, useSyncExternalStore } from 'react'
import { useTextScale } from '../../lib/text-scale.ts'

/** Whether the window is as the query says. */
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

/** px of usual letters: from here on a table of machines has room for rates beside names and bars */
const ROOMY = 1_088

export function useNarrow(): boolean {
  // a media query in rem knows the letters of the browser's settings only, not those of the page
  return useMedia(`(width < ${ROOMY * useTextScale()}px)`)
}

/** Below 640 px, or more where letters are larger, rows have two lines and tables no columns. */
export const usePhone = (): boolean => useMedia('(width < 40rem)')
