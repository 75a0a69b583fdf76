import { hasDelay } from '@pulse/domain'
import { useState } from 'react'
import { useConfig } from '../config-edits.tsx'
import { commonDelay, type DelayKind, ownDelay, withDelay } from './delay.ts'
import { RowFrame } from './row-frame.tsx'
import type { ThresholdTable } from './tables.ts'

interface DelayRowProps {
  table: ThresholdTable & { delays: DelayKind }
  phone: boolean
}

/** Seconds that a value must be beyond its threshold before it is an alert. */
export function DelayRow({ table, phone }: DelayRowProps) {
  const { config, change } = useConfig()
  const { delays: kind, metrics, offline, title } = table
  const common = commonDelay(config, kind, '')
  return (
    <RowFrame
      phone={phone}
      metrics={metrics}
      hasOffline={offline !== undefined}
      name={
        <span className="min-w-8 truncate text-xs text-ink-2">
          Delay in seconds<span className="text-ink-3"> · empty: {common} s</span>
        </span>
      }
      value={({ key, header }) =>
        hasDelay(key) ? (
          <DelayInput
            label={`Delay of ${header}, ${title}`}
            seconds={ownDelay(config, kind, key)}
            common={commonDelay(config, kind, key)}
            onChange={(text) => change((before) => withDelay(before, kind, key, text))}
          />
        ) : null
      }
    />
  )
}

interface DelayInputProps {
  label: string
  /** undefined: the common one */
  seconds: number | undefined
  common: number
  onChange: (text: string) => void
}

function DelayInput({ label, seconds, common, onChange }: DelayInputProps) {
  const [typed, setTyped] = useState<string>()
  const end = () => {
    if (typed !== undefined) onChange(typed)
    setTyped(undefined)
  }
  return (
    <input
      type="text"
      inputMode="numeric"
      autoComplete="off"
      aria-label={label}
      placeholder={String(common)}
      value={typed ?? seconds ?? ''}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={end}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Enter') end()
        if (event.key === 'Escape') setTyped(undefined)
      }}
      className="h-6 w-full rounded border border-control bg-surface px-1.5 text-right text-ink tabular-nums placeholder:text-ink-3"
    />
  )
}
