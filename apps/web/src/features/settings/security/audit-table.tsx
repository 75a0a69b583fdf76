import type { AuditRecord } from '@pulse/contract'
import { CircleCheck, CircleX } from 'lucide-react'
import { MISSING } from '../../../lib/format.ts'
import { cx } from '../../../ui/cx.ts'
import { type RecordColumn, RecordTable } from '../../../parts/table/record-table.tsx'
import { When } from '../when.tsx'
import { eventTexts, methodTexts } from './audit-texts.ts'

const columns: readonly RecordColumn<AuditRecord>[] = [
  {
    header: 'Time',
    cell: (record) => (
      <>
        <When time={record.time} seconds />
        <Times record={record} />
      </>
    ),
    phone: {
      slot: 'fact',
      draw: (record) => (
        <>
          <When time={record.time} inline seconds />
          <Times record={record} />
        </>
      ),
    },
  },
  {
    header: 'Event',
    cell: ({ event }) => <span className="block min-w-28">{eventTexts[event]}</span>,
    phone: { slot: 'name', draw: ({ event }) => eventTexts[event] },
  },
  { header: 'Result', cell: (record) => <Result record={record} />, phone: { slot: 'badge' } },
  {
    header: 'Who',
    cell: ({ actor, method }) => (
      <>
        <span className="block font-medium wrap-anywhere">{actor}</span>
        <span className="block text-xs whitespace-nowrap text-ink-3">{methodTexts[method]}</span>
      </>
    ),
    phone: { slot: 'fact', draw: ({ actor }) => actor },
  },
  {
    header: 'From',
    cell: ({ address }) => <span className="block min-w-28 break-all">{address ?? MISSING}</span>,
    phone: { slot: 'fact', draw: ({ address }) => address },
  },
  {
    header: 'Target',
    cell: ({ target }) => <span className="block min-w-24 break-all">{target ?? MISSING}</span>,
    phone: { slot: 'fact', draw: ({ target }) => target },
  },
  {
    header: 'Details',
    cell: ({ details }) => <span className="block min-w-32 break-words">{details ?? MISSING}</span>,
    phone: { slot: 'fact', draw: ({ details }) => details },
  },
  {
    header: 'Request',
    cell: ({ requestId }) => (
      <code className="block max-w-40 min-w-32 font-mono text-2xs break-all text-ink-2">
        {requestId ?? MISSING}
      </code>
    ),
  },
]

export function AuditTable({ records }: { records: readonly AuditRecord[] }) {
  return (
    <RecordTable label="Audit log" columns={columns} rows={records} keyOf={({ id }) => id} minWidth={1080} />
  )
}

/** Equal records are one: how often, and when it happened last. */
function Times({ record: { count, lastTime } }: { record: AuditRecord }) {
  if (count === undefined) return null
  return (
    <span className="block text-xs whitespace-nowrap text-ink-2">
      {count} times, last <When time={lastTime} inline seconds />
    </span>
  )
}

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
