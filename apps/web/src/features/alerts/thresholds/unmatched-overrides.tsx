import type { AlertOverride } from '@pulse/contract'
import { RotateCcw } from 'lucide-react'
import { formatNumber } from '../../../lib/format.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { tip } from '../../../ui/tooltip.tsx'
import { useConfig } from '../config-edits.tsx'
import { unmatchedKeys } from './absent.ts'
import { containerMetrics, guestMetrics, nodeMetrics, storageMetrics } from './metrics.ts'
import { overrideAt, ownTrigger, removeOverride } from './override.ts'
import { isOff } from './value.ts'

/** Overrides whose keys match no resource. They apply once such a resource is reported. */
export function UnmatchedOverrides({ search }: { search: string }) {
  const { config, change } = useConfig()
  const wanted = search.trim().toLowerCase()
  const keys = unmatchedKeys(config).filter((key) => key.toLowerCase().includes(wanted))
  if (keys.length === 0) return null
  return (
    <Card aria-label="Unmatched overrides">
      <header className="border-b border-line px-3 py-2">
        <h2 className="text-sm font-semibold">Unmatched overrides</h2>
        <p className="text-xs text-ink-2">
          These names match no resource. An override applies once its resource is reported.
        </p>
      </header>
      <ul className="text-table">
        {keys.map((key) => (
          <li
            key={key}
            className="flex min-h-9 items-center gap-3 border-b border-line py-1 pr-2 pl-3 last:border-b-0 hover:bg-hover"
          >
            <span className="min-w-0 flex-1 sm:flex sm:items-baseline sm:gap-3">
              <span className="block min-w-0 font-medium wrap-anywhere sm:flex-1">{key}</span>
              <span className="block text-xs text-ink-2 sm:flex-1">
                {overrideText(overrideAt(config, key) ?? {})}
              </span>
            </span>
            <IconButton
              label={`Remove override of ${key}`}
              className="size-6"
              onClick={() => change((before) => removeOverride(before, key))}
              {...tip('Remove override')}
            >
              <RotateCcw aria-hidden size={13} />
            </IconButton>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const metrics = new Map(
  [...nodeMetrics, ...guestMetrics, ...storageMetrics, ...containerMetrics].map((one) => [one.key, one]),
)

/** What an override sets, as in `Alerts off, CPU % 95`. */
function overrideText(override: AlertOverride): string {
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
