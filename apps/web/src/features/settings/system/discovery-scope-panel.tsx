import { commonSubnets } from '@pulse/domain'
import { useRef } from 'react'
import { cx } from '../../../ui/cx.ts'
import { SegmentedToggle } from '../../../ui/segmented-toggle.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useDiscovery } from '../nodes/use-discovery.ts'
import { Panel } from '../../../ui/panel.tsx'
import { isLocked, type LoadedSettings, lockedHint } from './system-form.ts'
import { entriesOf, type ScopeMode, useDiscoveryScope } from './use-discovery-scope.ts'

const modes = [
  { value: 'auto', label: 'Auto' },
  { value: 'custom', label: 'Custom subnet' },
] as const

const hint = 'CIDR notation, comma-separated. Saved on Enter or when you leave the field.'

/** Network discovery: its scope and its switch. */
export function DiscoveryScopePanel({ settings }: { settings: LoadedSettings }) {
  const discovery = useDiscovery()
  const scope = useDiscoveryScope(settings)
  const field = useRef<HTMLInputElement>(null)
  const locked = isLocked(settings, 'discoverySubnet')

  const choose = (mode: ScopeMode) => {
    scope.choose(mode)
    // the field is rendered by this choice
    if (mode === 'custom') requestAnimationFrame(() => field.current?.focus())
  }
  const switchTo = (enabled: boolean) => {
    if (enabled && !scope.mayEnable()) field.current?.focus()
    else discovery.switchTo(enabled)
  }

  return (
    <Panel
      title="Network discovery"
      description="Pulse scans the network for Proxmox products that are not monitored yet."
      action={
        <Switch
          label="Discovery"
          {...(discovery.locked && { hint: lockedHint })}
          checked={discovery.enabled}
          disabled={discovery.locked || discovery.changing}
          onChange={switchTo}
        />
      }
    >
      <fieldset disabled={locked} className="flex min-w-0 flex-col items-start gap-3 disabled:opacity-60">
        <legend className="sr-only">Scope of discovery</legend>
        <SegmentedToggle label="Scope" value={scope.mode} options={modes} onChange={choose} />
        {scope.mode === 'auto' ? (
          <p className="text-table text-ink-2">
            The networks of this machine are scanned. Large networks may take longer.
          </p>
        ) : (
          <>
            <ul aria-label="Common subnets" className="flex flex-wrap gap-1.5">
              {commonSubnets.map((subnet) => (
                <li key={subnet}>
                  <Chip
                    subnet={subnet}
                    chosen={entriesOf(scope.text).includes(subnet)}
                    onToggle={() => scope.toggle(subnet)}
                  />
                </li>
              ))}
            </ul>
            <TextField
              ref={field}
              className="w-full max-w-xl"
              label="Subnets"
              placeholder="192.168.1.0/24, 10.0.0.0/24"
              value={scope.text}
              onChange={scope.type}
              onBlur={scope.commit}
              onKeyDown={(event) => event.key === 'Enter' && scope.commit()}
              error={scope.problem}
              hint={!locked && (scope.isSaving ? 'Saving...' : hint)}
              autoComplete="off"
              spellCheck={false}
            />
          </>
        )}
      </fieldset>
      {locked && <p className="mt-2 text-xs text-ink-3">{lockedHint}</p>}
    </Panel>
  )
}

interface ChipProps {
  subnet: string
  chosen: boolean
  onToggle: () => void
}

function Chip({ subnet, chosen, onToggle }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onToggle}
      className={cx(
        'inline-flex h-7 items-center rounded-full border px-2.5 font-mono text-xs',
        chosen
          ? 'border-accent bg-accent-soft text-accent'
          : 'border-control bg-surface text-ink-2 hover:bg-hover hover:text-ink',
      )}
    >
      {subnet}
    </button>
  )
}
