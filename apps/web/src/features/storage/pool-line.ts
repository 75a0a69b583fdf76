import type { Storage } from '@pulse/contract'
import type { AlertLevel } from '../../parts/alerts/alert-levels.ts'
import type { CephTone } from './ceph.ts'

/** A storage, and what its row adds to it. */
export interface PoolLine {
  id: string
  pool: Storage
  /** the figures are old */
  stale: boolean
  /** since when, unless the head above says so */
  staleSince: number | undefined
  /** where it is, unless the head above or a column says so */
  where: string | undefined
  /** of the Ceph below it, when there is something to say about it */
  ceph: Exclude<CephTone, 'green' | 'accent'> | undefined
  /** whether its row opens; undefined where no row of the table does */
  opens: boolean | undefined
  expanded: boolean
  /** below the head of a group */
  indented: boolean
  dimmed: boolean
  alert: AlertLevel | undefined
  tabIndex: 0 | -1
}
