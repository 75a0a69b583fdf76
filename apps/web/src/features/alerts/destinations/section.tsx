import { deliveryLimits, DeliveryState } from '@pulse/contract'
import { useState } from 'react'
import { AdminOnly } from '../../../parts/sections/admin-only.tsx'
import { Card } from '../../../ui/card.tsx'
import { useAddress, useAddressValue } from '../../../ui/router/use-address.ts'
import { Switch } from '../../../ui/switch.tsx'
import { useConfig } from '../config-edits.tsx'
import { HostsCard } from './allowed-hosts.tsx'
import { DeliveryPanel } from './deliveries/panel.tsx'
import { type DeliveryFilter, useDeliveries } from './deliveries/use-deliveries.ts'
import { channelKindUis } from './kinds.ts'

/** Channels and the delivery log. */
export default function DestinationsSection() {
  return (
    <AdminOnly to="to see and change where alerts are sent">
      <Destinations />
    </AdminOnly>
  )
}

function Destinations() {
  const [filter, setFilter] = useDeliveryFilter()
  const query = useDeliveries(filter)
  const channels = query.data?.channels ?? []
  return (
    <>
      <AllClears />
      {Object.entries(channelKindUis).map(([kind, { Card }]) => (
        <Card key={kind} channels={channels.filter((channel) => channel.kind === kind)} />
      ))}
      <DeliveryPanel query={query} filter={filter} onFilter={setFilter} />
      <HostsCard />
    </>
  )
}

/** Part of the alert configuration, and saved with it. */
function AllClears() {
  const { config, change } = useConfig()
  return (
    <Card className="px-4 py-3">
      <Switch
        label="Send all-clears"
        hint="Send a resolved message to everyone who got the alert, even during quiet hours."
        checked={config.schedule.notifyOnResolve}
        onChange={(notifyOnResolve) =>
          change((before) =>
            before.schedule.notifyOnResolve === notifyOnResolve
              ? before
              : { ...before, schedule: { ...before.schedule, notifyOnResolve } },
          )
        }
      />
    </Card>
  )
}

const whole = (value: string | undefined) => (value === 'all' ? undefined : value)

/** The address holds the filter; the page size lasts for this visit only. */
function useDeliveryFilter(): [DeliveryFilter, (change: Partial<DeliveryFilter>) => void] {
  const { set } = useAddress()
  const [state = 'all'] = useAddressValue('state', DeliveryState.options)
  const [channel = 'all'] = useAddressValue('channel')
  const [limit, setLimit] = useState<number>(deliveryLimits.usual)
  const change = ({ limit: more, ...chosen }: Partial<DeliveryFilter>) => {
    if (more !== undefined) setLimit(more)
    set(Object.fromEntries(Object.entries(chosen).map(([name, value]) => [name, whole(value)])))
  }
  return [{ state, channel, limit }, change]
}
