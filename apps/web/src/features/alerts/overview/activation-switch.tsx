import { useSession } from '../../../api/session.tsx'
import { useNow } from '../../../lib/use-now.ts'
import { TICK_MS } from '../../../parts/cells.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { isObservationOver, useActivation } from '../activation.ts'
import { useConfig, useConfigEdits } from '../config-edits.tsx'

/** All alerts, on or off. */
export function ActivationSwitch({ phone }: { phone: boolean }) {
  const { isAdmin } = useSession()
  const { isActive = false } = useConfigEdits()
  const { config } = useConfig()
  const isSettled = useNow(TICK_MS, (now) => !config.activationTime || isObservationOver(config, now))
  const { isBusy, switchTo } = useActivation()
  const hint = isActive
    ? !isSettled &&
      `First ${config.observationWindowHours} hours: review incoming alerts and adjust thresholds.`
    : 'Nothing is shown or sent until alerts are activated.'
  return (
    <Switch
      label={isActive ? 'Alerts enabled' : 'Alerts disabled'}
      {...(hint && !phone && { hint })}
      checked={isActive}
      disabled={isBusy || !isAdmin}
      onChange={switchTo}
    />
  )
}
