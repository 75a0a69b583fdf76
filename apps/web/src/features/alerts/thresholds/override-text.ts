import type { AlertOverride } from '@pulse/contract'
import { formatNumber } from '../../../lib/format.ts'
import { containerMetrics, guestMetrics, nodeMetrics, storageMetrics } from './metrics.ts'
import { ownTrigger } from './override.ts'
import { isOff } from './value.ts'

const metrics = new Map(
  [...nodeMetrics, ...guestMetrics, ...storageMetrics, ...containerMetrics].map((one) => [one.key, one]),
)

/** What an override sets, as in `Alerts off, CPU % 95`. */
export function overrideText(override: AlertOverride): string {
  const { disabled, disableConnectivity, poweredOffSeverity } = override
  const values = [...metrics.values()].flatMap(({ key, header }) => {
    const own = ownTrigger(override, key)
    if (own === undefined) return []
    return [`${header} ${isOff(own) ? 'off' : formatNumber(own, undefined, 2)}`]
  })
  const offline = disableConnectivity
    ? 'offline alerts off'
    : poweredOffSeverity && `offline ${poweredOffSeverity}`
  const text = [disabled && 'alerts off', offline, ...values].filter(Boolean).join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
