import { AlarmClockOff } from 'lucide-react'
import { useSession } from '../../../api/session.tsx'
import { useNow } from '../../../lib/use-now.ts'
import { TICK_MS } from '../../../parts/cells/cells.tsx'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Switch } from '../../../ui/switch.tsx'
import { tip } from '../../../ui/tooltip.tsx'
import { isObservationOver, useActivation } from '../activation.ts'
import { useConfig, useConfigEdits } from '../config-edits.tsx'

/** All alerts: on, off, or snoozed. */
export function ActivationSwitch({ phone }: { phone: boolean }) {
  const { isAdmin } = useSession()
  const { isActive = false } = useConfigEdits()
  const { config } = useConfig()
  const isSettled = useNow(TICK_MS, (now) => !config.activationTime || isObservationOver(config, now))
  const { isBusy, switchTo } = useActivation()
  const hint = isActive
    ? !isSettled &&
      `First ${config.observationWindowHours} hours: review incoming alerts and adjust thresholds.`
    : config.activationState === 'snoozed'
      ? 'Snoozed: nothing is shown or sent until alerts are activated.'
      : 'Nothing is shown or sent until alerts are activated.'
  return (
    // where a phone is narrower than most, the head keeps its one line
    <div className={cx('flex items-center gap-x-2', phone && 'max-[359px]:[&_p]:sr-only')}>
      {isActive && isAdmin && (
        <Button
          variant="ghost"
          className={cx('order-last', phone && 'px-2')}
          aria-label="Snooze alerts"
          disabled={isBusy}
          onClick={() => switchTo('snoozed')}
          {...tip('Show and send nothing until alerts are activated again')}
        >
          <AlarmClockOff aria-hidden size={15} />
          {!phone && 'Snooze'}
        </Button>
      )}
      <Switch
        label={isActive ? 'Alerts enabled' : 'Alerts disabled'}
        {...(hint && !phone && { hint })}
        checked={isActive}
        disabled={isBusy || !isAdmin}
        onChange={(on) => switchTo(on ? 'active' : 'pending_review')}
      />
    </div>
  )
}
