import type { DisableSwitch } from '@pulse/contract'
import { useConfig } from '../config-edits.tsx'
import { Toggle } from './controls.tsx'

interface SwitchLineProps {
  title: string
  /** what the alerts monitor */
  about: string
  allOff: DisableSwitch
}

/** A switch for alerts without thresholds. */
export function SwitchLine({ title, about, allOff }: SwitchLineProps) {
  const { config, change } = useConfig()
  const off = config[allOff]
  return (
    <div className="flex min-h-9 items-center gap-2 border-b border-line px-3 py-1.5 text-table last:border-b-0">
      <Toggle
        label={`Alerts of all: ${title}`}
        checked={!off}
        onChange={(on) => change((before) => ({ ...before, [allOff]: !on }))}
        tabIndex={0}
      />
      <span className="font-medium text-ink">{title}</span>
      <span className="text-xs text-ink-2">{about}</span>
    </div>
  )
}
