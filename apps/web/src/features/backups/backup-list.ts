import type { DailyBackups } from '@pulse/contract'
import { createSourceSelector, type List, type ListItem } from '../../parts/list/list-selector.ts'
import type { Sort } from '../../ui/table/sort.ts'
import type { BackupIndexer } from './backup-index.ts'
import type { BackupRow } from '../../parts/backups/backup-row.ts'
import { type BackupColumnId, sortValue } from './columns.tsx'
import type { BackupFilters } from './filter.ts'

export interface BackupQuery extends BackupFilters {
  matches: (backup: BackupRow) => boolean
  sort: Sort<BackupColumnId>
  /** key of the selected row of the node table */
  hostKey: string | undefined
  /** day selected in the chart */
  day: string | undefined
}

export const backupListNames = { record: 'backup', group: 'head' } as const

/** The table's rows, and the matching backups per day; the counts ignore the selected day. */
export type BackupList = List<'backup' | 'head'>

export function createBackupListSelector(query: BackupQuery, indexOf: BackupIndexer) {
  const { key, direction } = query.sort
  return createSourceSelector({
    from: indexOf,
    names: backupListNames,
    context: () => [],
    direction,
    toItem(backup): ListItem | undefined {
      if (!isShown(query, backup)) return undefined
      return {
        value: sortValue(key, backup),
        // the newest first among equals
        tiebreaker: -backup.backupTime,
        group: query.grouping === 'date' ? backup.day : backup.group,
        category: backup.mark,
        countOnly: query.day !== undefined && query.day !== backup.day,
      }
    },
    groups: (present) => {
      // groups keep the order of their first row
      if (query.grouping === 'guest') return present
      const days = present.toSorted()
      return key === 'backupTime' && direction === 'asc' ? days : days.toReversed()
    },
  })
}

function isShown(query: BackupQuery, backup: BackupRow): boolean {
  const { source, type, hostKey } = query
  if (source !== 'all' && backup.backupType !== source) return false
  if (type !== 'all' && guestType(backup) !== type) return false
  if (hostKey !== undefined && backup.hostKey !== hostKey) return false
  return query.matches(backup)
}

const guestType = ({ type }: BackupRow): BackupFilters['type'] =>
  type === 'Host' ? 'host' : type === 'VM' ? 'vm' : 'lxc'

/** Counts of the list by day; days without backups are absent. */
export function countDays(marks: ReadonlyMap<string, number>): ReadonlyMap<string, DailyBackups> {
  const days = new Map<string, DailyBackups>()
  for (const [mark, count] of marks) {
    const [date = '', source = ''] = mark.split(' ')
    const day = days.get(date) ?? { date, total: 0, snapshots: 0, pve: 0, pbs: 0 }
    days.set(date, {
      ...day,
      total: day.total + count,
      snapshots: day.snapshots + (source === 'snapshot' ? count : 0),
      pve: day.pve + (source === 'local' ? count : 0),
      pbs: day.pbs + (source === 'remote' ? count : 0),
    })
  }
  return days
}
