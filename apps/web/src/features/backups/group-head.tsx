import { isEqual } from '@pulse/domain'
import { useCallback } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useNow } from '../../lib/use-now.ts'
import type { LiveReader } from '../../live/store.ts'
import { Badge } from '../../ui/badge.tsx'
import { type BackupIndexer, indexKinds } from './backup-index.ts'
import { backupListNames } from './backup-list.ts'
import { GuestLink } from '../../parts/thing/guest-link.tsx'
import { dayOf } from '../../lib/days.ts'
import { noonOf, ownerOf, partsOfGroup } from '../../parts/backups/backup-row.ts'
import type { BackupFilters } from './filter.ts'
import { useIndexed } from './use-indexed.ts'

interface GroupHeadProps {
  group: string
  /** rows of its list */
  rows: readonly string[]
  indexOf: BackupIndexer
  grouping: BackupFilters['grouping']
  count: number
  colSpan: number
}

/** Head of a day's or a guest's backups. */
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
      {name && <GuestLink id={ownerOf(group)} name={name} className="truncate font-medium text-ink" />}
      {instance && <span className="truncate text-ink-3">{instance}</span>}
    </>
  )
}

interface GroupNames {
  name: string
  instance: string
}

/** Name of a group's guest, from the first backup in the list that has one. */
export function selectGroupNames(
  live: LiveReader,
  group: string,
  { rows, indexOf }: { rows: readonly string[]; indexOf: BackupIndexer },
): GroupNames {
  const { cluster, words } = partsOfGroup(group)
  if (cluster === '') return { name: words, instance: '' }
  const { records } = indexOf(live)
  let instance = instanceOf(live, cluster)
  for (let at = rows.indexOf(`${backupListNames.group}:${group}`) + 1; at < rows.length; at++) {
    const [kind, id] = rows[at]!.split(/:(.*)/s) as [string, string]
    const backup = kind === backupListNames.record ? records.get(id) : undefined
    if (!backup) break
    instance ??= backup.instance
    if (backup.name) return { name: backup.name, instance }
  }
  return { name: '', instance: instance ?? '' }
}

function instanceOf(live: LiveReader, cluster: string): string | undefined {
  for (const { source, instance } of live.records('nodes').values()) if (source === cluster) return instance
  return undefined
}
