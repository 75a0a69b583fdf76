import type { Alert, NoticeKind } from '@pulse/contract'

/** What is to be told, before anybody has put it into words. */
export interface ToldNotice {
  eventId: string
  kind: NoticeKind
  /** RFC 3339 */
  at: string
  /** at least one */
  alerts: readonly { alert: Alert; resolvedAt?: string }[]
  publicUrl?: string
}
