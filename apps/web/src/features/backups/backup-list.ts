import type { DailyBackups } from '@pulse/contract'
import { createSourceSelector, type List, type ListItem } from '../../parts/list/list-selector.ts'
import type { Sort } from '../../ui/table/sort.ts'
import type { BackupIndexer } from './backup-index.ts'
import type { BackupRow } from './backup-row.ts'
import { type BackupColumnId, sortValue } from './columns.tsx'
import type { BackupFilters } from './filter.ts'

export interface BackupQuery extends BackupFilters {
  matches: (backup: BackupRow) => boolean
  sort: Sort<BackupColumnId>
  /** the line of the node table that is selected */
  place: string | undefined
  /** that was chosen in the chart */
  day: string | undefined
}

export const backupListNames = { record: 'backup', group: 'head' } as const

/** What the table shows, and how many of what it is made of there are on each day, the chosen one or not. */
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
        // of equals the newest first
        tiebreaker: -backup.backupTime,
        group: query.grouping === 'date' ? backup.day : backup.group,
        category: backup.mark,
        countOnly: query.day !== undefined && query.day !== backup.day,
      }
    },
    groups: (present) => {
      // under the head of the one that comes first
      if (query.grouping === 'guest') return present
      const days = present.toSorted()
      return key === 'backupTime' && direction === 'asc' ? days : days.toReversed()
    },
  })
}

function isShown(query: BackupQuery, backup: BackupRow): boolean {
  const { source, type, place } = query
  if (source !== 'all' && backup.backupType !== source) return false
  if (type !== 'all' && guestType(backup) !== type) return false
  if (place !== undefined && backup.place !== place) return false
  return query.matches(backup)
}

const guestType = ({ type }: BackupRow): BackupFilters['type'] =>
  type === 'Host' ? 'host' : type === 'VM' ? 'vm' : 'lxc'

/** The counts of the list by day; a day without backups is not there. */
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
