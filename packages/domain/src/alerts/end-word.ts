import type { Alert } from '@pulse/contract'

const words = {
  condition: 'Resolved',
  unwatched: 'No longer watched',
  displaced: 'No longer listed',
  gone: 'No longer there',
  cleared: 'Cleared',
} as const

/** How an alert ended, on screen and in messages. Alerts from older versions have no reason. */
export const endWord = ({ endReason = 'condition' }: Pick<Alert, 'endReason'>): string => words[endReason]
