import type { AuditRecord } from '@pulse/contract'
import { CircleCheck, CircleX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { MISSING } from '../../../lib/format.ts'
import { RowOpener } from '../../../parts/cells/row-opener.tsx'
import { cx } from '../../../ui/cx.ts'
import { type RecordColumn, RecordTable } from '../../../parts/table/record-table.tsx'
import { When } from '../when.tsx'
import { eventTexts, methodTexts } from './audit-texts.ts'

/** One line per event; further details expand below. */
export function AuditTable({ records }: { records: readonly AuditRecord[] }) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const details: RecordColumn<AuditRecord> = {
    header: 'Details',
    hideHeader: true,
    align: 'end',
    cell: ({ id, event }) => (
      <RowOpener
        name={eventTexts[event]}
        expanded={opened.has(id)}
        tabIndex={0}
        onToggle={() => setOpened((before) => toggled(before, id))}
      />
    ),
    phone: { slot: 'action' },
  }
  return (
    <RecordTable
      label="Audit log"
      columns={[...columns, details]}
      rows={records}
      keyOf={({ id }) => id}
      minWidth={820}
      dense
      below={(record) => opened.has(record.id) && <AuditDetails record={record} />}
    />
  )
}

function toggled(opened: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(opened)
  if (!next.delete(id)) next.add(id)
  return next
}

const line = 'block max-w-56 truncate'

const columns: readonly RecordColumn<AuditRecord>[] = [
  {
    header: 'Time',
    cell: (record) => (
      <span className="whitespace-nowrap">
        <When time={record.time} inline seconds />
        {record.count !== undefined && (
          <span className="ml-1.5 text-xs text-ink-2">{record.count} times</span>
        )}
      </span>
    ),
    phone: {
      slot: 'fact',
      draw: (record) => (
        <>
          <When time={record.time} inline seconds />
          {record.count !== undefined && ` · ${record.count} times`}
        </>
      ),
    },
  },
  {
    header: 'Event',
    cell: ({ event }) => <span className="whitespace-nowrap">{eventTexts[event]}</span>,
    phone: { slot: 'name', draw: ({ event }) => eventTexts[event] },
  },
  { header: 'Result', cell: (record) => <Result record={record} />, phone: { slot: 'badge' } },
  {
    header: 'Who',
    cell: ({ actor }) => <span className={cx(line, 'font-medium')}>{actor}</span>,
    phone: { slot: 'fact', draw: ({ actor }) => actor },
  },
  {
    header: 'From',
    cell: ({ address }) => <span className={line}>{address ?? MISSING}</span>,
    phone: { slot: 'fact', draw: ({ address }) => address },
  },
  {
    header: 'Target',
    cell: ({ target }) => <span className={line}>{target ?? MISSING}</span>,
    phone: { slot: 'fact', draw: ({ target }) => target },
  },
]

function Result({ record: { success } }: { record: AuditRecord }) {
  const Icon = success ? CircleCheck : CircleX
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 whitespace-nowrap',
        success ? 'text-ink-2' : 'font-medium text-red',
      )}
    >
      <Icon aria-hidden size={14} className={success ? 'text-green' : undefined} />
      {success ? 'Success' : 'Failed'}
    </span>
  )
}

/** All details of an event, unabridged. */
function AuditDetails({ record }: { record: AuditRecord }) {
  const { actor, method, address, target, details, requestId } = record
  return (
    <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-0.5 text-left text-table max-sm:mt-2">
      <Fact name="Who">{actor}</Fact>
      <Fact name="Signed in by">{methodTexts[method]}</Fact>
      <Fact name="From">{address ?? MISSING}</Fact>
      <Fact name="Target">{target ?? MISSING}</Fact>
      <Fact name="Details">{details ?? MISSING}</Fact>
      <Fact name="Request">
        <code className="font-mono text-xs">{requestId ?? MISSING}</code>
      </Fact>
      {record.count !== undefined && (
        <Fact name="Repeated">
          <Times record={record} />
        </Fact>
      )}
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-ink-2">{name}</dt>
    <dd className="min-w-0 wrap-anywhere">{children}</dd>
  </>
)

/** Identical events are merged: their count, and the time of the last one. */
function Times({ record: { count, lastTime } }: { record: AuditRecord }) {
  if (count === undefined) return null
  return (
    <span className="block text-xs text-ink-2">
      {count} times, last <When time={lastTime} seconds />
    </span>
  )
}
