import { Moment } from '../../parts/cells/moment.tsx'
import { useReading } from '../../parts/backups/reading.ts'
import { type RecordColumn, RecordTable } from '../../parts/table/record-table.tsx'
import { Badge } from '../../ui/badge.tsx'
import type { Snapshot } from '../../parts/backups/guest-backups.ts'
import { SectionNote } from './section.tsx'

/** The snapshots of a guest, newest first. */
export function Snapshots({ rows }: { rows: readonly Snapshot[] }) {
  const reading = useReading()
  if (rows.length === 0)
    return <SectionNote>{reading ? `${reading}.` : 'No snapshots of this guest.'}</SectionNote>
  return <RecordTable label="Snapshots" columns={columns} rows={rows} keyOf={keyOf} minWidth={460} dense />
}

const keyOf = ({ name }: Snapshot) => name

const columns: readonly RecordColumn<Snapshot>[] = [
  {
    header: 'Name',
    cell: ({ name, vmstate }) => (
      <span className="inline-flex flex-wrap items-center gap-x-1.5 font-medium break-words text-ink">
        {name}
        {vmstate && <Badge>with RAM</Badge>}
      </span>
    ),
    phone: { slot: 'name' },
  },
  {
    header: 'Taken',
    cell: ({ time }) => (
      <span className="whitespace-nowrap tabular-nums">
        <Moment at={Date.parse(time)} relative={false} />
      </span>
    ),
    phone: { slot: 'fact' },
  },
  {
    header: 'Parent',
    cell: ({ parent }) => <span className="break-words text-ink-2">{parent || '—'}</span>,
    phone: { slot: 'fact', draw: ({ parent }) => parent && `after ${parent}` },
  },
  {
    header: 'Description',
    cell: ({ description }) => <span className="line-clamp-2 break-words text-ink-2">{description}</span>,
    phone: { slot: 'fact', draw: ({ description }) => description || undefined },
  },
]
