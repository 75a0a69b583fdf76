import { RotateCcw } from 'lucide-react'
import { IconButton } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { tip } from '../../../ui/tooltip.tsx'
import { useConfig } from '../config-edits.tsx'
import { unmatchedKeys } from './gone.ts'
import { overrideAt, removeOverride } from './override.ts'
import { overrideText } from './override-text.ts'

/** Overrides under names that match no resource. They apply once such a resource is reported. */
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
