import { type Delivery, getDeliveries, postDeliveryRetry } from '@pulse/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../../api/api.tsx'
import { useChange } from '../../../../api/use-change.ts'
import { formatMoment } from '../../../../lib/format.ts'
import { type RecordColumn, RecordTable } from '../../../../parts/table/record-table.tsx'
import { Badge } from '../../../../ui/badge.tsx'
import { Button } from '../../../../ui/button.tsx'
import { toast } from '../../../../ui/toast.ts'
import { failureText } from '../use-test.ts'
import { When } from '../when.tsx'
import { aboutText, canRetry, causeText, kindTexts, stateTexts, waitText } from './texts.ts'
import { channelKindUis } from '../kinds.ts'

interface DeliveryTableProps {
  deliveries: readonly Delivery[]
  onOpen: (delivery: Delivery) => void
}

export function DeliveryTable({ deliveries, onOpen }: DeliveryTableProps) {
  const columns: readonly RecordColumn<Delivery>[] = [
    {
      header: 'When',
      cell: ({ createdAt }) => <When time={createdAt} />,
      phone: { slot: 'fact' },
    },
    {
      header: 'Channel',
      cell: (delivery) => <Channel delivery={delivery} />,
      phone: { slot: 'fact', draw: ({ channelName }) => channelName },
    },
    {
      header: 'What',
      cell: (delivery) => <What delivery={delivery} onOpen={onOpen} />,
      phone: { slot: 'name' },
    },
    {
      header: 'Status',
      cell: ({ state }) => <Badge tone={stateTexts[state].tone}>{stateTexts[state].word}</Badge>,
      phone: { slot: 'badge' },
    },
    {
      header: 'Attempts',
      align: 'end',
      cell: ({ attempts }) => <span className="tabular-nums">{attempts}</span>,
      phone: { slot: 'figure', label: 'Attempts' },
    },
    {
      header: 'Cause',
      cell: (delivery) => <Cause delivery={delivery} />,
      phone: { slot: 'fact' },
    },
    {
      header: 'Action',
      hideHeader: true,
      align: 'end',
      cell: (delivery) => <Retry delivery={delivery} />,
      phone: { slot: 'action' },
    },
  ]
  return (
    <RecordTable
      label="Deliveries"
      columns={columns}
      rows={deliveries}
      keyOf={({ id }) => id}
      minWidth={760}
    />
  )
}

function Channel({ delivery: { channelName, channelKind } }: { delivery: Delivery }) {
  const kind = channelKindUis[channelKind].label
  return (
    <>
      <span className="line-clamp-2 max-w-48 wrap-anywhere">{channelName}</span>
      {channelName !== kind && <span className="block text-xs text-ink-3">{kind}</span>}
    </>
  )
}

function What({ delivery, onOpen }: { delivery: Delivery; onOpen: (delivery: Delivery) => void }) {
  return (
    <button
      type="button"
      onClick={() => onOpen(delivery)}
      className="rounded text-left text-accent wrap-anywhere hover:underline"
    >
      <span className="line-clamp-2">
        {kindTexts[delivery.kind]}: {aboutText(delivery)}
      </span>
    </button>
  )
}

function Cause({ delivery }: { delivery: Delivery }) {
  const cause = causeText(delivery)
  const { state, nextAttemptAt, wait } = delivery
  const next = state === 'waiting' && !wait ? nextAttemptAt : undefined
  if (cause === undefined && next === undefined && !wait) return null
  return (
    <>
      {cause !== undefined && <span className="line-clamp-3 min-w-48 wrap-anywhere text-ink-2">{cause}</span>}
      {wait && <span className="block text-xs text-ink-2">{waitText(wait, formatMoment)}</span>}
      {next !== undefined && (
        <span className="block text-xs text-ink-3">Next attempt: {formatMoment(Date.parse(next))}</span>
      )}
    </>
  )
}

/** Resends a message that failed or waits for a retry. */
function Retry({ delivery }: { delivery: Delivery }) {
  const api = useApi()
  const queries = useQueryClient()
  const retry = useChange({
    mutationFn: () => api.call(postDeliveryRetry, { params: { id: delivery.id } }),
    onSuccess: () => toast.success(`The message to ${delivery.channelName} is sent again`),
    onError: (error) => toast.error(failureText('Failed to send the message again', error)),
    onSettled: () => queries.invalidateQueries({ queryKey: [getDeliveries.path] }),
  })
  if (!canRetry(delivery)) return null
  return (
    <Button
      disabled={retry.isPending}
      aria-label={`Retry: ${aboutText(delivery)} to ${delivery.channelName}`}
      onClick={() => retry.mutate()}
      className="h-7"
    >
      Retry
    </Button>
  )
}
