import { useTextScale } from '../../lib/text-scale.ts'
import { useMedia } from './use-media.ts'

/** px of usual letters: from here on a table of machines has room for rates beside names and bars */
const ROOMY = 1_088

export function useNarrow(): boolean {
  // a media query in rem knows the letters of the browser's settings only, not those of the page
  return useMedia(`(width < ${ROOMY * useTextScale()}px)`)
}
