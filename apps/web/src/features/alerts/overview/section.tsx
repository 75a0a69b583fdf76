import { putAlertConfig } from '@pulse/contract'
import { useQueryClient } from '@tanstack/react-query'
import { AlarmClockOff, BellOff, CircleCheck, Search } from 'lucide-react'
import { useRef, useState } from 'react'
import { useApi } from '../../../api/api.tsx'
import { wordsOf } from '../../../api/reason.ts'
import { useSession } from '../../../api/session.tsx'
import { useChange } from '../../../api/use-change.ts'
import { useReadOnlyReason } from '../../../lib/moment.tsx'
import { useNow } from '../../../lib/use-now.ts'
import { TICK_MS } from '../../../parts/cells/cells.tsx'
import type { GridHandle } from '../../../parts/grid/grid.tsx'
import { usePhone } from '../../../parts/screen/use-media.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { cx } from '../../../ui/cx.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { toast } from '../../../ui/toast.ts'
import { tip } from '../../../ui/tooltip.tsx'
import { isObservationOver, useActivation } from '../activation.ts'
import { configKey, useConfig, useConfigEdits } from '../config-edits.tsx'
import { SectionHead, type SectionProps } from '../section-head.tsx'
import { AlertList } from './alert-list.tsx'
import { AlertsOff } from './alerts-off.tsx'
import { Figures } from './figures.tsx'
import { ListFilters } from './list-filters.tsx'
import { type AlertListState, useAlertList } from './list-state.ts'
import { ListTools } from './list-tools.tsx'

/** Active alerts. On a phone the list follows the head directly. */
export default function OverviewSection({ section }: SectionProps) {
  const { isActive = false } = useConfigEdits()
  const { config } = useConfig()
  const phone = usePhone()
  const list = useAlertList(isActive)
  const [filtersShown, setFiltersShown] = useState(false)
  const grid = useRef<GridHandle | null>(null)
  const tools = (
    <ListTools list={list} phone={phone} filtersShown={filtersShown} onShowFilters={setFiltersShown} />
  )
  return (
    <div className="flex flex-col gap-2 sm:gap-3">
      <SectionHead section={section} compact={phone}>
        <ActivationSwitch phone={phone} />
        {phone && isActive && <span className="ml-auto flex min-w-0 gap-1">{tools}</span>}
      </SectionHead>
      <div
        inert={!isActive}
        data-inactive={!isActive}
        className={phone ? 'order-last data-[inactive=true]:opacity-50' : 'data-[inactive=true]:opacity-50'}
      >
        <Figures active={list.counts.active} acknowledged={list.counts.acknowledged} />
      </div>
      {!config.enabled ? (
        <EvaluationOff />
      ) : isActive ? (
        <Card aria-label="Active alerts" className="overflow-clip">
          {!phone && (
            <header className="flex min-h-11 flex-wrap items-center gap-2 border-b border-line py-1.5 pr-2 pl-4">
              <h2 className="min-w-0 flex-1 text-sm font-semibold">Active alerts</h2>
              {tools}
            </header>
          )}
          {list.alerts.size > 0 && (
            <ListFilters
              list={list}
              shown={!phone || filtersShown}
              onWanted={() => setFiltersShown(true)}
              onLeaveDown={() => grid.current?.enter()}
            />
          )}
          {list.rows.length > 0 ? <AlertList list={list} handle={grid} /> : <NoAlerts list={list} />}
        </Card>
      ) : (
        <AlertsOff />
      )}
    </div>
  )
}

function NoAlerts({ list: { alerts, found, reset } }: { list: AlertListState }) {
  if (alerts.size === 0) {
    return (
      <EmptyState title="No active alerts" icon={<CircleCheck size={24} />} tone="green">
        Alerts will appear here when thresholds are exceeded
      </EmptyState>
    )
  }
  if (found > 0)
    return <EmptyState title="No unacknowledged alerts" icon={<CircleCheck size={24} />} tone="green" />
  return (
    <EmptyState
      title="No alerts match"
      icon={<Search size={24} />}
      action={<Button onClick={reset}>Reset filters</Button>}
    >
      Nothing matches the search and the filters.
    </EmptyState>
  )
}

/** `enabled` is off in the configuration; only the API and imports set it. */
function EvaluationOff() {
  const { isAdmin } = useSession()
  const api = useApi()
  const readOnly = useReadOnlyReason()
  const queries = useQueryClient()
  const { isPending, mutate } = useChange({
    mutationFn: () => api.call(putAlertConfig, { body: { enabled: true } }),
    onError: (error) => toast.error(wordsOf(error, 'Failed to save configuration')),
    onSettled: () => queries.invalidateQueries({ queryKey: configKey }),
  })
  return (
    <Card aria-label="Active alerts">
      <EmptyState
        title="Alert evaluation is off"
        icon={<BellOff size={24} />}
        action={
          isAdmin && (
            <Button
              variant="primary"
              disabled={isPending || readOnly !== undefined}
              onClick={() => mutate()}
              {...tip(readOnly)}
            >
              Turn on evaluation
            </Button>
          )
        }
      >
        Alert evaluation is disabled in the configuration: no condition is checked.
      </EmptyState>
    </Card>
  )
}

/** All alerts: on, off, or snoozed. */
function ActivationSwitch({ phone }: { phone: boolean }) {
  const { isAdmin } = useSession()
  const { isActive = false } = useConfigEdits()
  const { config } = useConfig()
  const isSettled = useNow(TICK_MS, (now) => !config.activationTime || isObservationOver(config, now))
  const { isBusy, switchTo } = useActivation()
  const readOnly = useReadOnlyReason()
  const hint = readOnly
    ? `${readOnly}. The switch shows now.`
    : isActive
      ? !isSettled &&
        `First ${config.observationWindowHours} hours: review incoming alerts and adjust thresholds.`
      : config.activationState === 'snoozed'
        ? 'Snoozed: nothing is shown or sent until alerts are activated.'
        : 'Nothing is shown or sent until alerts are activated.'
  return (
    // keeps the head on one line on very narrow phones
    <div className={cx('flex items-center gap-x-2', phone && 'max-[359px]:[&_p]:sr-only')}>
      {isActive && isAdmin && (
        <Button
          variant="ghost"
          className={cx('order-last', phone && 'px-2')}
          aria-label="Snooze alerts"
          disabled={isBusy || readOnly !== undefined}
          onClick={() => switchTo('snoozed')}
          {...tip(readOnly ?? 'Show and send nothing until alerts are activated again')}
        >
          <AlarmClockOff aria-hidden size={15} />
          {!phone && 'Snooze'}
        </Button>
      )}
      <Switch
        label={isActive ? 'Alerts enabled' : 'Alerts disabled'}
        {...(hint && !phone && { hint })}
        checked={isActive}
        disabled={isBusy || !isAdmin || readOnly !== undefined}
        onChange={(on) => switchTo(on ? 'active' : 'pending_review')}
      />
    </div>
  )
}
