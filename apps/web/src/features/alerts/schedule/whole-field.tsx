import type { Bounds } from '@pulse/contract'
import { useId, useState } from 'react'
import { readWhole } from './edit.ts'

interface WholeFieldProps {
  label: string
  value: number
  bounds: Bounds
  unit?: string
  hint?: string
  /** the label is for those who cannot see what stands around it */
  hideLabel?: boolean
  onChange: (value: number) => void
}

/** A whole number: what was typed counts when the field is left. */
export function WholeField({
  label,
  value,
  bounds,
  unit,
  hint,
  hideLabel = false,
  onChange,
}: WholeFieldProps) {
  const [typed, setTyped] = useState<string>()
  const hintId = useId()
  const end = () => {
    const read = typed === undefined ? value : readWhole(typed, bounds, value)
    setTyped(undefined)
    if (read !== value) onChange(read)
  }
  return (
    <label className="flex flex-col gap-1">
      <span className={hideLabel ? 'sr-only' : 'text-table font-medium'}>{label}</span>
      <span className="flex items-center gap-2">
        <input
          type="text"
          inputMode="numeric"
          autoComplete="off"
          aria-label={label}
          aria-describedby={hint && hintId}
          value={typed ?? value}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={end}
          onKeyDown={(event) => {
            if (event.key === 'Enter') end()
            if (event.key === 'Escape') setTyped(undefined)
          }}
          className="h-8 w-20 rounded-md border border-control bg-surface px-2 text-right text-table text-ink tabular-nums"
        />
        {unit && <span className="text-table text-ink-2">{unit}</span>}
      </span>
      {hint && (
        <span id={hintId} className="text-xs text-ink-3">
          {hint}
        </span>
      )}
    </label>
  )
}
