import { CheckCheck, CircleCheck, Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../../api/session.tsx'
import { formatNumber } from '../../../lib/format.ts'
import { useNow } from '../../../lib/use-now.ts'
import { useLive } from '../../../live/use-live.ts'
import { TICK_MS } from '../../../parts/cells.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { cx } from '../../../ui/cx.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { isObservationOver, useActivation } from '../activation.ts'
import { useConfig, useConfigEdits } from '../config-edits.tsx'
import { useAcknowledgement } from './acknowledgement.tsx'
import { AlertList } from './alert-list.tsx'
import { orderAlerts } from './alert-order.ts'
import { Figures } from './figures.tsx'

/** What is wrong now. */
export default function OverviewSection() {
  const { isActive = false } = useConfigEdits()
  return (
    <>
      <ActivationSwitch isActive={isActive} />
      <div
        inert={!isActive}
        data-inactive={!isActive}
        className={cx('flex flex-col gap-4', !isActive && 'pointer-events-none opacity-50')}
      >
        <Alerts isActive={isActive} />
      </div>
    </>
  )
}

function ActivationSwitch({ isActive }: { isActive: boolean }) {
  const { isAdmin } = useSession()
  const { config } = useConfig()
  const isSettled = useNow(TICK_MS, (now) => !config.activationTime || isObservationOver(config, now))
  const { isBusy, switchTo } = useActivation()
  return (
    <Card className="flex flex-wrap items-center gap-3 px-4 py-3">
      <Switch
        label={isActive ? 'Alerts enabled' : 'Alerts disabled'}
        hint={
          isActive
            ? isSettled
              ? 'What goes beyond a threshold is shown here.'
              : `In its first ${config.observationWindowHours} hours: look through what comes, and adjust the thresholds.`
            : 'Nothing is shown or sent until alerts are activated.'
        }
        checked={isActive}
        disabled={isBusy || !isAdmin}
        onChange={switchTo}
      />
    </Card>
  )
}

function Alerts({ isActive }: { isActive: boolean }) {
  const { isAcknowledged, setAll, isBusyAll } = useAcknowledgement()
  const { isAdmin } = useSession()
  const [showsAcknowledged, setShowsAcknowledged] = useState(true)
  // while alerts are not active there are none to see
  const alerts = useLive(
    ['activeAlerts'],
    (live) => new Map(isActive ? live.records('activeAlerts') : []),
    sameAlerts,
  )
  const { ids, unacknowledged, acknowledged } = orderAlerts(alerts, isAcknowledged, showsAcknowledged)
  const EyeIcon = showsAcknowledged ? EyeOff : Eye
  return (
    <>
      <Figures active={unacknowledged.length} acknowledged={acknowledged} />
      <Card aria-label="Active alerts" className="overflow-clip">
        <header className="flex min-h-12 flex-wrap items-center gap-2 border-b border-line px-4 py-2">
          <h2 className="min-w-0 flex-1 text-sm font-semibold">Active alerts</h2>
          {acknowledged > 0 && (
            <Button
              variant="ghost"
              aria-pressed={showsAcknowledged}
              onClick={() => setShowsAcknowledged(!showsAcknowledged)}
            >
              <EyeIcon aria-hidden size={14} />
              {showsAcknowledged ? 'Hide acknowledged' : 'Show acknowledged'}
            </Button>
          )}
          {isAdmin && unacknowledged.length > 0 && (
            <Button className="ml-auto" disabled={isBusyAll} onClick={() => setAll(unacknowledged)}>
              <CheckCheck aria-hidden size={14} />
              {isBusyAll ? 'Processing...' : `Acknowledge all (${formatNumber(unacknowledged.length)})`}
            </Button>
          )}
        </header>
        {ids.length > 0 ? (
          <AlertList ids={ids} />
        ) : alerts.size > 0 ? (
          <EmptyState title="No unacknowledged alerts" icon={<CircleCheck size={24} />} tone="green" />
        ) : (
          <EmptyState title="No active alerts" icon={<CircleCheck size={24} />} tone="green">
            Alerts will appear here when thresholds are exceeded
          </EmptyState>
        )}
      </Card>
    </>
  )
}

/** Records keep their identity while nothing of them changed. */
const sameAlerts = <T,>(a: ReadonlyMap<string, T>, b: ReadonlyMap<string, T>): boolean =>
  a.size === b.size && [...a].every(([id, alert]) => b.get(id) === alert)
