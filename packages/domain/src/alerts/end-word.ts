import type { Alert } from '@pulse/contract'

const words = {
  condition: 'Resolved',
  unwatched: 'No longer watched',
  displaced: 'No longer listed',
  gone: 'No longer there',
  cleared: 'Cleared',
} as const

/** On screen and in messages. What did not end by its condition is not resolved; older ends have no reason. */
export const endWord = ({ endReason = 'condition' }: Pick<Alert, 'endReason'>): string => words[endReason]
