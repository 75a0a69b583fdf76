import type { Bounds } from '@pulse/contract'
import { useId, useState } from 'react'
import { cx } from '../../ui/cx.ts'
import { MessageText } from '../../ui/message-text.tsx'

interface WholeFieldProps {
  label: string
  value: number
  bounds: Bounds
  unit?: string
  hint?: string
  /** value for invalid input; default: the old value */
  fallback?: number
  error?: string | undefined
  /** keeps the label for screen readers only */
  hideLabel?: boolean
  onChange: (value: number) => void
}

/** An integer field that commits its text on blur. */
export function WholeField({
  label,
  value,
  bounds,
  unit,
  hint,
  fallback = value,
  error,
  hideLabel = false,
  onChange,
}: WholeFieldProps) {
  const [typed, setTyped] = useState<string>()
  const hintId = useId()
  const note = error ?? hint
  const end = () => {
    const read = typed === undefined ? value : readWhole(typed, bounds, fallback)
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
          aria-invalid={error !== undefined || undefined}
          aria-describedby={note && hintId}
          value={typed ?? value}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={end}
          onKeyDown={(event) => {
            if (event.key === 'Enter') end()
            if (event.key === 'Escape') setTyped(undefined)
          }}
          className={cx(
            'h-8 w-20 rounded-md border bg-surface px-2 text-right text-table text-ink tabular-nums',
            error === undefined ? 'border-control' : 'border-red',
          )}
        />
        {unit && <span className="text-table text-ink-2">{unit}</span>}
      </span>
      {note && (
        <span id={hintId} className={cx('text-xs', error === undefined ? 'text-ink-3' : 'text-red')}>
          {error === undefined ? hint : <MessageText text={error} />}
        </span>
      )}
    </label>
  )
}

/** Parses an integer and clamps it to the bounds; invalid text yields the fallback. */
export function readWhole(text: string, { min, max }: Bounds, fallback: number): number {
  const number = Number.parseInt(text.trim(), 10)
  return Number.isNaN(number) ? fallback : Math.min(max, Math.max(min, number))
}
