import type { UpdateHistoryEntry } from '@pulse/contract'
import { CircleAlert, CircleCheck, CircleSlash, Loader, Undo2 } from 'lucide-react'
import { formatSpan, MISSING } from '../../../lib/format.ts'
import { actionsColumn, type RecordColumn, RecordTable } from '../../../parts/table/record-table.tsx'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { toneText } from '../../../ui/tone-class.ts'
import { When } from '../when.tsx'
import { actionTexts, channelTexts, initiatorText, outcomeTexts, outcomeTones } from './update-texts.ts'

interface HistoryTableProps {
  entries: readonly UpdateHistoryEntry[]
  onOpen: (id: string) => void
}

export function HistoryTable({ entries, onOpen }: HistoryTableProps) {
  const columns: readonly RecordColumn<UpdateHistoryEntry>[] = [
    {
      header: 'Started',
      cell: ({ timestamp }) => <When time={timestamp} />,
      phone: { slot: 'fact', draw: ({ timestamp }) => <When time={timestamp} inline /> },
    },
    {
      header: 'Version',
      cell: (entry) => <Versions entry={entry} />,
      phone: { slot: 'name' },
    },
    {
      header: 'Result',
      cell: (entry) => (
        <div className="max-w-96 min-w-40">
          <Outcome entry={entry} />
          {entry.error && <p className="text-xs break-words text-ink-2">{entry.error.message}</p>}
        </div>
      ),
      phone: { slot: 'badge', draw: (entry) => <Outcome entry={entry} /> },
    },
    { header: 'Channel', cell: ({ channel }) => channelTexts[channel] },
    {
      header: 'Started by',
      cell: initiatorText,
      phone: { slot: 'fact', draw: (entry) => entry.error?.message ?? initiatorText(entry) },
    },
    {
      header: 'Duration',
      align: 'end',
      cell: durationText,
      phone: {
        slot: 'fact',
        draw: (entry) => entry.status !== 'in_progress' && `Took ${durationText(entry)}`,
      },
    },
    actionsColumn(({ event_id, version_to }) => (
      <Button aria-label={`Details of the update to ${version_to}`} onClick={() => onOpen(event_id)}>
        Details
      </Button>
    )),
  ]
  return (
    <RecordTable
      label="Update history"
      columns={columns}
      rows={entries}
      keyOf={({ event_id }) => event_id}
      minWidth={900}
    />
  )
}

function Versions({ entry: { action, version_from, version_to } }: { entry: UpdateHistoryEntry }) {
  return (
    <span className="font-medium tabular-nums">
      {action === 'rollback' && `${actionTexts.rollback}: `}
      {version_from}
      <span className="text-ink-3">
        <span aria-hidden> → </span>
        <span className="sr-only"> to </span>
      </span>
      {version_to}
    </span>
  )
}

const icons = {
  in_progress: Loader,
  success: CircleCheck,
  failed: CircleAlert,
  rolled_back: Undo2,
  cancelled: CircleSlash,
}

export function Outcome({ entry: { status } }: { entry: UpdateHistoryEntry }) {
  const Icon = icons[status]
  const tone = toneText[outcomeTones[status]]
  return (
    <span className={cx('inline-flex items-center gap-1 font-medium whitespace-nowrap', tone)}>
      <Icon aria-hidden size={14} className={status === 'in_progress' ? 'spin' : undefined} />
      {outcomeTexts[status]}
    </span>
  )
}

export const durationText = ({ status, duration_ms }: UpdateHistoryEntry): string =>
  status === 'in_progress' ? MISSING : formatSpan(duration_ms / 1_000)
