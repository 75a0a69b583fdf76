import { deleteHistory, getHistoryStorage, type HistoryStorage, type HistoryTier } from '@pulse/contract'
import { useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../../api/api.tsx'
import { wordsOf } from '../../../api/reason.ts'
import { useAnswer } from '../../../api/use-answer.ts'
import { useChange } from '../../../api/use-change.ts'
import { formatBytes, formatMoment } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { toast } from '../../../ui/toast.ts'
import type { SystemForm } from './system-form.ts'
import { WholeField } from './whole-field.tsx'

const lengths = [
  {
    field: 'historyRawHours',
    label: 'Samples as polled, in hours',
    tier: 'raw',
    min: 1,
    max: 168,
    days: 1 / 24,
  },
  { field: 'historyMinuteDays', label: 'Minutes, in days', tier: 'minute', min: 1, max: 90, days: 1 },
  {
    field: 'historyQuarterHourMonths',
    label: 'Quarter hours, in months',
    tier: 'quarter',
    min: 1,
    max: 60,
    days: 31,
  },
  { field: 'historyDayYears', label: 'Days, in years', tier: 'day', min: 0, max: 100, days: 366 },
] as const

/** How long the history of all figures is kept, and what that takes on disk. */
export function HistoryPanel({ form: { values, change, notes } }: { form: SystemForm }) {
  const { data: storage } = useAnswer(getHistoryStorage, { refetchInterval: renewMs })
  return (
    <Panel
      title="Metric history"
      description="How long metrics are kept, and how much space they take with today's number of guests. Changes reach back as far as the minutes, the time machine at most 14 days."
      action={<DeleteHistory samplesIn={storage?.samplesIn} />}
    >
      <div className="flex flex-col gap-4">
        {storage && <Facts storage={storage} />}
        <div className="grid items-start gap-x-6 gap-y-4 md:grid-cols-2">
          {lengths.map(({ field, label, tier, min, max, days }) => (
            <WholeField
              key={field}
              label={label}
              value={values[field]}
              min={min}
              max={max}
              onChange={(value) => change({ [field]: value })}
              {...notes(field, costText(storage, tier, values[field] * days))}
            />
          ))}
        </div>
      </div>
    </Panel>
  )
}

const renewMs = 60_000

function Facts({ storage: { fileBytes, oldest, samplesIn } }: { storage: HistoryStorage }) {
  if (samplesIn !== undefined)
    return (
      <p className="text-table text-ink-2 tabular-nums">
        Samples are in {samplesIn}, which decides how long it keeps them. The lengths below apply to the{' '}
        {formatBytes(fileBytes)} of changes and past states on disk.
      </p>
    )
  return (
    <p className="text-table text-ink-2 tabular-nums">
      {formatBytes(fileBytes)} on disk,{' '}
      {oldest === undefined ? 'no sample yet' : `oldest sample ${formatMoment(oldest)}`}
    </p>
  )
}

/** Measured by the server. Days without end have a cost per year. */
function costText(storage: HistoryStorage | undefined, tier: HistoryTier, days: number): string {
  const perDay = storage?.tiers.find((one) => one.tier === tier)?.bytesPerDay
  const isEndless = days === 0
  const unknown =
    storage?.samplesIn === undefined
      ? `Size known after the first ${tier === 'raw' || tier === 'minute' ? 'hour' : 'day'}.`
      : 'No samples here.'
  const known = (bytes: number) =>
    isEndless ? `About ${formatBytes(bytes * 366)} a year.` : `About ${formatBytes(bytes * days)}.`
  const cost = perDay === undefined ? unknown : known(perDay)
  return tier === 'day' ? `${isEndless ? 'Kept without end. ' : '0: without end. '}${cost}` : cost
}

/** Irreversible; a dialog asks for confirmation. */
function DeleteHistory({ samplesIn }: Pick<HistoryStorage, 'samplesIn'>) {
  const api = useApi()
  const queries = useQueryClient()
  const [asks, setAsks] = useState(false)
  const remove = useChange({
    mutationFn: () => api.call(deleteHistory),
    async onSuccess() {
      toast.success('Metric history deleted')
      await queries.invalidateQueries({ queryKey: [getHistoryStorage.path] })
    },
    onError: (error) => toast.error(wordsOf(error, 'Failed to delete the metric history')),
    onSettled: () => setAsks(false),
  })
  return (
    <>
      <Button onClick={() => setAsks(true)} className="border-red text-red hover:bg-red-soft">
        <Trash2 aria-hidden size={14} />
        Delete history
      </Button>
      <ConfirmDialog
        open={asks}
        onClose={() => setAsks(false)}
        title="Delete the metric history?"
        action="Delete history"
        busyAction="Deleting..."
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        {samplesIn === undefined ? (
          <p>
            This permanently deletes the past of all figures, the list of changes and the states of the time
            machine. Charts begin again with the next sample.
          </p>
        ) : (
          <p>
            This permanently deletes the list of changes and the states of the time machine. The samples in{' '}
            {samplesIn} stay; delete them there.
          </p>
        )}
      </ConfirmDialog>
    </>
  )
}
