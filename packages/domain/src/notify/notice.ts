import type { Alert, NoticeKind } from '@pulse/contract'

/** A notification before it becomes text. */
export interface Notice {
  /** the same in every attempt, so receivers can drop duplicates */
  eventId: string
  kind: NoticeKind
  /** RFC 3339; creation */
  at: string
  /** at least one */
  alerts: readonly { alert: Alert; resolvedAt?: string }[]
  /** alerts of the same sources that a later message names */
  left?: readonly { name: string; isCritical: boolean; count: number }[]
  publicUrl?: string
  /** for times in messages, such as `Europe/Berlin`; default UTC */
  timezone?: string
}
