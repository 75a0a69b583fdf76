import { getActiveAlerts } from '@pulse/contract'
import { useQuery } from '@tanstack/react-query'
import { BellOff } from 'lucide-react'
import { useApi } from '../../../api/api.tsx'
import { useSession } from '../../../api/session.tsx'
import { formatNumber } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useActivation } from '../activation.ts'
import { useConfig } from '../config-edits.tsx'

const renewMs = 30_000

/** Shown while alerts are off or snoozed: how many alerts would be active. */
export function AlertsOff() {
  const { isAdmin } = useSession()
  const { isBusy, switchTo } = useActivation()
  const { config } = useConfig()
  const count = useWouldAlert()
  const state = config.activationState === 'snoozed' ? 'Alerts are snoozed' : 'Alerts are off'
  return (
    <Card aria-label="Active alerts">
      <EmptyState
        title={count === undefined ? state : `${state} · ${wouldText(count)}`}
        icon={<BellOff size={24} />}
        action={
          isAdmin && (
            <Button variant="primary" disabled={isBusy} onClick={() => switchTo('active')}>
              Activate alerts
            </Button>
          )
        }
      >
        Conditions are evaluated, but nothing is shown or sent.
      </EmptyState>
    </Card>
  )
}

const wouldText = (count: number) =>
  count === 0
    ? 'no condition would alert now'
    : `${formatNumber(count)} ${count === 1 ? 'condition' : 'conditions'} would alert now`

/** The server keeps evaluating; only the live state omits the alerts. */
function useWouldAlert(): number | undefined {
  const api = useApi()
  const { data } = useQuery({
    queryKey: [getActiveAlerts.path, 'count'],
    queryFn: async ({ signal }) => (await api.call(getActiveAlerts, { signal })).length,
    refetchInterval: renewMs,
  })
  return data
}
