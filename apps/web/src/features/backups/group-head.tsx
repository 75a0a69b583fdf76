import { isEqual } from '@pulse/domain'
import { useCallback } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useNow } from '../../lib/use-now.ts'
import { Badge } from '../../ui/badge.tsx'
import { type BackupIndexer, indexKinds } from './backup-index.ts'
import { partsOfGroup } from './backup-row.ts'
import { dayOf, noonOf } from './days.ts'
import type { BackupFilters } from './filter.ts'
import { selectGroupNames } from './group-names.ts'
import { useIndexed } from './use-indexed.ts'

interface GroupHeadProps {
  group: string
  /** of the list it is in */
  rows: readonly string[]
  indexOf: BackupIndexer
  grouping: BackupFilters['grouping']
  count: number
  colSpan: number
}

/** Above the backups of a day, or of a guest. */
export function GroupHead({ group, rows, indexOf, grouping, count, colSpan }: GroupHeadProps) {
  return (
    <div
      role="gridcell"
      aria-colspan={colSpan}
      className="flex h-full items-center gap-2 border-b border-line bg-sunken px-3 text-xs"
    >
      {grouping === 'date' ? <Day day={group} /> : <Guest group={group} rows={rows} indexOf={indexOf} />}
      <span className="text-ink-3 tabular-nums">
        {formatNumber(count)} {count === 1 ? 'backup' : 'backups'}
      </span>
    </div>
  )
}

const A_MINUTE = 60_000

function Day({ day }: { day: string }) {
  const name = useNow(A_MINUTE, (now) => dayName(day, now))
  return <span className="font-medium text-ink">{name}</span>
}

const long = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' })

export function dayName(day: string, now: number): string {
  const today = noonOf(dayOf(now))
  if (day === dayOf(today.getTime())) return 'Today'
  today.setDate(today.getDate() - 1)
  return day === dayOf(today.getTime()) ? 'Yesterday' : long.format(noonOf(day))
}

const kinds = [...indexKinds, 'nodes'] as const

function Guest({ group, rows, indexOf }: Pick<GroupHeadProps, 'group' | 'rows' | 'indexOf'>) {
  const { type, vmid } = partsOfGroup(group)
  const { name, instance } = useIndexed(
    indexOf,
    useCallback((live) => selectGroupNames(live, group, { rows, indexOf }), [group, rows, indexOf]),
    { kinds, isEqual },
  )
  return (
    <>
      <Badge>{type}</Badge>
      <span className="text-ink tabular-nums">{vmid}</span>
      {name && <span className="truncate font-medium text-ink">{name}</span>}
      {instance && <span className="truncate text-ink-3">{instance}</span>}
    </>
  )
}
