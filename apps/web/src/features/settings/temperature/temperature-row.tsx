import type { TemperatureNode, TemperatureStatus } from '@pulse/contract'
import { useState } from 'react'
import { cx } from '../../../ui/cx.ts'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { toneText, type UiTone } from '../../../ui/tone-class.ts'
import { When } from '../when.tsx'
import { useTemperatureChange } from './use-temperature-nodes.ts'

const statusTexts: Record<TemperatureStatus, { label: string; tone: UiTone }> = {
  off: { label: 'Off', tone: 'neutral' },
  not_set_up: { label: 'Not set up: run the setup script, then check', tone: 'yellow' },
  waiting: { label: 'Waiting for the first reading', tone: 'neutral' },
  ok: { label: 'Working', tone: 'green' },
  failing: { label: 'Failing', tone: 'red' },
  paused: { label: 'Paused after three failures, tried again in five minutes', tone: 'red' },
}

export function TemperatureRow({ node }: { node: TemperatureNode }) {
  const change = useTemperatureChange(node)
  const isLocked = node.lockedBy !== undefined
  const { enabled, port } = { ...node, ...(change.isPending && change.variables) }
  return (
    <li className="grid items-start gap-x-6 gap-y-3 border-b border-line px-4 py-3 last:border-b-0 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_6rem]">
      <div className="min-w-0 break-words">
        <Switch
          label={node.node}
          hint={[
            node.instance,
            node.address ?? 'address not known yet',
            ...(isLocked ? [`Fixed by ${node.lockedBy}`] : []),
          ].join(' · ')}
          checked={enabled}
          disabled={change.isPending || isLocked}
          onChange={(on) => change.mutate({ enabled: on })}
        />
      </div>
      <Health node={node} />
      {enabled && (
        <div className="max-sm:pl-11">
          <PortField
            node={node.node}
            port={port ?? node.port}
            disabled={change.isPending || isLocked}
            onChange={(wanted) => change.mutate({ enabled: true, port: wanted })}
          />
        </div>
      )}
    </li>
  )
}

function Health({ node: { status, error, lastRead, hostKeyFingerprint } }: { node: TemperatureNode }) {
  const { label, tone } = statusTexts[status]
  return (
    // below the name in the single-column layout
    <div className="min-w-0 text-table max-sm:pl-11">
      <p className={cx('flex items-baseline gap-2', tone === 'neutral' ? 'text-ink-2' : toneText[tone])}>
        <StatusDot tone={tone} ring={status === 'off'} label="" />
        <span className="min-w-0 break-words">{label}</span>
      </p>
      {error !== undefined && <p className="text-xs break-words text-ink-2">{error}</p>}
      {lastRead !== undefined && (
        <p className="text-xs text-ink-2">
          Last reading <When time={lastRead} inline="ago" />
        </p>
      )}
      {hostKeyFingerprint !== undefined && (
        <p className="text-xs break-all text-ink-2">
          Host key <code className="font-mono">{hostKeyFingerprint}</code>
        </p>
      )}
    </div>
  )
}

interface PortFieldProps {
  node: string
  port: number
  disabled: boolean
  onChange: (port: number) => void
}

/** Saves on blur or Enter. */
function PortField({ node, port, disabled, onChange }: PortFieldProps) {
  const [typed, setTyped] = useState<string>()
  const wanted = Number(typed ?? port)
  const valid = Number.isInteger(wanted) && wanted >= 1 && wanted <= 65_535
  const save = () => {
    if (typed === undefined || !valid) return
    setTyped(undefined)
    if (wanted !== port) onChange(wanted)
  }
  return (
    <TextField
      label="SSH port"
      aria-label={`SSH port of ${node}`}
      value={typed ?? String(port)}
      onChange={setTyped}
      error={valid ? undefined : '1 to 65535'}
      disabled={disabled}
      inputMode="numeric"
      onBlur={save}
      onKeyDown={({ key }) => key === 'Enter' && save()}
      className="w-24"
    />
  )
}
