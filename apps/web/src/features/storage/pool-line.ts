import type { Storage } from '@pulse/contract'
import type { AlertLevel } from '../../parts/alerts/alert-levels.ts'
import type { CephTone } from '../../parts/storage/ceph.ts'

/** A storage, with the state of its row. */
export interface PoolLine {
  id: string
  pool: Storage
  /** the figures are old */
  stale: boolean
  /** since when, unless its head shows it */
  staleSince: number | undefined
  /** its location, unless a head or column shows it */
  where: string | undefined
  /** tone of its Ceph cluster, if there is a problem */
  ceph: Exclude<CephTone, 'green' | 'accent'> | undefined
  expanded: boolean
  /** below a group's head */
  indented: boolean
  dimmed: boolean
  alert: AlertLevel | undefined
  /** an alert that it will be full is active */
  fullSoon: boolean
  /** it will be full within a month */
  fullNear: boolean
  tabIndex: 0 | -1
}
