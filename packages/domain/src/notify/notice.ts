import type { Alert, NoticeKind } from '@pulse/contract'

/** What is to be told, before anybody has put it into words. */
export interface Notice {
  eventId: string
  kind: NoticeKind
  /** RFC 3339 */
  at: string
  /** at least one */
  alerts: readonly { alert: Alert; resolvedAt?: string }[]
  /** alerts of the same sources that a later message names */
  left?: readonly { name: string; isCritical: boolean; count: number }[]
  publicUrl?: string
  /** of times that people read, as `Europe/Berlin`; UTC when absent */
  timezone?: string
}
