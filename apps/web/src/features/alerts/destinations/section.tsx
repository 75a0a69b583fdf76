import { deliveryLimits, DeliveryState } from '@pulse/contract'
import { useEffect, useRef, useState } from 'react'
import { AdminOnly } from '../../../parts/sections/admin-only.tsx'
import { Loaded } from '../../../parts/sections/loaded.tsx'
import { Card } from '../../../ui/card.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { useAddress, useAddressValue } from '../../../ui/router/use-address.ts'
import { useShownLocation } from '../../../ui/router/use-router.ts'
import { Switch } from '../../../ui/switch.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { useConfig } from '../config-edits.tsx'
import { AppriseCard } from './apprise/card.tsx'
import { DeliveryPanel } from './deliveries/panel.tsx'
import { type DeliveryFilter, useDeliveries } from './deliveries/use-deliveries.ts'
import { usePart } from './edits.tsx'
import { EmailCard } from './email/card.tsx'
import { firstOf } from './part.ts'
import { hostsPart } from './parts.ts'
import { WebhookCard } from './webhooks/card.tsx'

/** Where alerts are sent, and what became of them. */
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
      <EmailCard channel={channels.find(({ kind }) => kind === 'email')} />
      <AppriseCard channel={channels.find(({ kind }) => kind === 'apprise')} />
      <WebhookCard channels={channels} />
      <DeliveryPanel query={query} filter={filter} onFilter={setFilter} />
      <HostsCard />
    </>
  )
}

/** Part of the configuration of alerts, and saved with it. */
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

/** Which messages are listed, as the address has it; how many of them is this visit's. */
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

/** Where messages may go although it is this machine, or a place that usually nobody means. */
function HostsCard() {
  const { query, formOf, edit, problems } = usePart(hostsPart)
  const place = useShownLocation()
  const area = useRef<HTMLTextAreaElement>(null)
  const isLoaded = query.data !== undefined
  // messages about a host lead here
  useEffect(() => {
    if (!isLoaded || place?.hash !== '#allowed-hosts') return
    area.current?.focus({ preventScroll: true })
    area.current?.scrollIntoView({ block: 'center' })
  }, [place, isLoaded])
  return (
    <Panel
      title="Allowed hosts"
      description="Destinations on your own network need no entry. This machine and other special addresses are refused unless listed here."
    >
      <Loaded query={query} what="the allowed hosts">
        {(stored) => (
          <TextArea
            ref={area}
            code
            label="Hosts"
            rows={3}
            value={formOf(stored).allowedHosts}
            onChange={(allowedHosts) => edit({ allowedHosts })}
            error={firstOf(problems)}
            placeholder={'localhost:25\n127.0.0.1:8000'}
            hint="One host name or address per line; add a port to allow only that port. For example a mail relay or an Apprise API server on this machine."
          />
        )}
      </Loaded>
    </Panel>
  )
}
