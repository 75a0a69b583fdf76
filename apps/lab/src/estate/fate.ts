/** What is odd about the backups of one guest. */
export interface Fate {
  /** No backup of it was ever made, and no job includes it. */
  none?: true
  /** No backup for at least so many days. */
  staleDays?: number
  /** What verification says of its newest backup; `none`: it was not verified. */
  verification?: 'ok' | 'failed' | 'none'
  /** The text that its last backup ended with, instead of a backup. */
  fails?: string
}
