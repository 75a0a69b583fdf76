import type { Alert, NoticeKind } from '@pulse/contract'

/** A notification before it is put into words. */
export interface Notice {
  /** the same in every attempt: receivers drop duplicates by it */
  eventId: string
  kind: NoticeKind
  /** RFC 3339, when it was made */
  at: string
  /** at least one */
  alerts: readonly { alert: Alert; resolvedAt?: string }[]
  /** alerts of the same sources that a later message names */
  left?: readonly { name: string; isCritical: boolean; count: number }[]
  publicUrl?: string
  /** for times in messages, such as `Europe/Berlin`; UTC when absent */
  timezone?: string
}
