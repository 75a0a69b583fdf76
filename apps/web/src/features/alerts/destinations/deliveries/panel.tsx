import { type ChannelStatus, type Delivery, deliveryLimits, DeliveryState } from '@pulse/contract'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { formatNumber } from '../../../../lib/format.ts'
import { Loaded } from '../../../../parts/sections/loaded.tsx'
import { Button } from '../../../../ui/button.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { Panel } from '../../../../ui/panel.tsx'
import { Select } from '../../../../ui/select.tsx'
import { DeliveryDetails } from './details.tsx'
import { DeliveryTable } from './table.tsx'
import { stateTexts } from './texts.ts'
import type { DeliveryFilter, useDeliveries } from './use-deliveries.ts'

interface DeliveryPanelProps {
  query: ReturnType<typeof useDeliveries>
  filter: DeliveryFilter
  onFilter: (change: Partial<DeliveryFilter>) => void
}

const stateChoices = [
  { value: 'all' as const, label: 'All states' },
  ...DeliveryState.options.map((state) => ({ value: state, label: stateTexts[state].word })),
]

/** Keeps the channel named in the address as an option after the channel is deleted. */
function channelChoices(channels: readonly ChannelStatus[], chosen: string) {
  const isGone = chosen !== 'all' && !channels.some(({ id }) => id === chosen)
  return [
    { value: 'all', label: 'All channels' },
    ...channels.map(({ id, name }) => ({ value: id, label: name })),
    ...(isGone ? [{ value: chosen, label: chosen }] : []),
  ]
}

/** The delivery log. */
export function DeliveryPanel({ query, filter, onFilter }: DeliveryPanelProps) {
  const [openId, setOpenId] = useState<string>()
  const { data } = query
  const deliveries: readonly Delivery[] = data?.deliveries ?? []
  const isFiltered = filter.state !== 'all' || filter.channel !== 'all'
  const open = (delivery: Delivery) => setOpenId(delivery.id)
  return (
    <Panel
      title="Delivery log"
      description="Recent messages and their delivery status."
      flush
      action={
        <span className="flex flex-wrap gap-2">
          <Select
            label="State"
            hideLabel
            value={filter.state}
            options={stateChoices}
            onChange={(state) => onFilter({ state, limit: deliveryLimits.usual })}
          />
          <Select
            label="Channel"
            hideLabel
            value={filter.channel}
            options={channelChoices(data?.channels ?? [], filter.channel)}
            onChange={(channel) => onFilter({ channel, limit: deliveryLimits.usual })}
          />
          <Button onClick={() => void query.refetch()} disabled={query.isFetching}>
            Refresh
          </Button>
        </span>
      }
    >
      {data && data.queue.overflowed > 0 && (
        <div className="p-4 pb-0">
          <Notice tone="red" title={`${formatNumber(data.queue.overflowed)} messages were dropped`}>
            {`At most ${formatNumber(data.queue.limit)} messages can be queued, and these did not fit. Fix the failing channels, or send fewer messages by grouping.`}
          </Notice>
        </div>
      )}
      <Loaded
        query={query}
        what="the delivery log"
        count={5}
        isEmpty={(log) => log.deliveries.length === 0}
        empty={
          <EmptyState icon={<Send size={24} />} title={isFiltered ? 'No such message' : 'Nothing sent yet'}>
            {isFiltered
              ? 'Choose another state or channel.'
              : 'Messages appear here once an alert or a test is sent.'}
          </EmptyState>
        }
      >
        {(log) => <DeliveryTable deliveries={log.deliveries} onOpen={open} />}
      </Loaded>
      {data && data.total > deliveries.length && filter.limit < deliveryLimits.most && (
        <div className="flex justify-center border-t border-line p-2">
          <Button
            variant="ghost"
            disabled={query.isFetching}
            onClick={() =>
              onFilter({ limit: Math.min(deliveryLimits.most, filter.limit + deliveryLimits.usual) })
            }
          >
            {query.isFetching ? 'Loading...' : 'Show older'}
          </Button>
        </div>
      )}
      <DeliveryDetails of={deliveries.find(({ id }) => id === openId)} onClose={() => setOpenId(undefined)} />
    </Panel>
  )
}
