import { AdminOnly } from '../../../parts/sections/admin-only.tsx'
import { Card } from '../../../ui/card.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { useConfig } from '../config-edits.tsx'
import { AppriseCard } from './apprise/card.tsx'
import { DeliveryPanel } from './deliveries/panel.tsx'
import { useDeliveries } from './deliveries/use-deliveries.ts'
import { useDeliveryFilter } from './deliveries/use-delivery-filter.ts'
import { EmailCard } from './email/card.tsx'
import { HostsCard } from './hosts-card.tsx'
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
        hint="Whoever was told of an alert is told when it is over, during quiet hours too."
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
