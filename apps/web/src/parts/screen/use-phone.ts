import { useMedia } from './use-media.ts'

/** Below 640 px, or more where letters are larger, rows have two lines and tables no columns. */
export const usePhone = (): boolean => useMedia('(width < 40rem)')
