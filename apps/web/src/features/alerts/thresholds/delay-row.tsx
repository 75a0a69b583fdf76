import { delayBounds } from '@pulse/contract'
import { hasDelay } from '@pulse/contract'
import { useId, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { cx } from '../../../ui/cx.ts'
import { useConfig } from '../config-edits.tsx'
import { isSaveKey } from '../save-key.ts'
import { cellName, useEditing } from './editing.tsx'
import { commonDelay, type DelayKind, ownDelay, withDelay } from './delay.ts'
import { RowFrame } from './row-frame.tsx'
import type { ThresholdTable } from './tables.ts'

interface DelayRowProps {
  table: ThresholdTable & { delays: DelayKind }
  phone: boolean
}

/** Seconds a value must exceed its threshold before it alerts. */
export function DelayRow({ table, phone }: DelayRowProps) {
  const { config, change } = useConfig()
  const { note: noteEdit } = useEditing()
  const { delays: kind, metrics, offline, title } = table
  const common = commonDelay(config, kind, '')
  const [refused, setRefused] = useState<string>()
  const note = useId()
  return (
    <RowFrame
      phone={phone}
      metrics={metrics}
      hasOffline={offline !== undefined}
      name={
        <span className="min-w-8 truncate text-xs text-ink-2">
          Delay in seconds
          <span id={note} role="status" className={refused === undefined ? 'text-ink-3' : 'text-red'}>
            {refused === undefined ? ` · empty: ${common} s` : ` · ${tooLong}`}
          </span>
        </span>
      }
      value={({ key, header }) =>
        hasDelay(key) ? (
          <DelayInput
            label={`Delay of ${header}, ${title}`}
            seconds={ownDelay(config, kind, key)}
            common={commonDelay(config, kind, key)}
            note={note}
            onRefused={(is) => setRefused((before) => (is ? key : before === key ? undefined : before))}
            onChange={(text) => {
              noteEdit(cellName(`defaults:${table.kind}`, key))
              change((before) => withDelay(before, kind, key, text))
            }}
          />
        ) : null
      }
    />
  )
}

const tooLong = `Use 0 to ${formatNumber(delayBounds.max)} seconds (7 days).`
const isTooLong = (text: string) => Number(text) > delayBounds.max

interface DelayInputProps {
  label: string
  /** undefined if the metric uses the common delay */
  seconds: number | undefined
  common: number
  /** id of the element with the error */
  note: string
  onRefused: (refused: boolean) => void
  onChange: (text: string) => void
}

function DelayInput({ label, seconds, common, note, onRefused, onChange }: DelayInputProps) {
  const [typed, setTyped] = useState<string>()
  const isRefused = typed !== undefined && isTooLong(typed)
  const type = (text: string | undefined) => {
    setTyped(text)
    onRefused(text !== undefined && isTooLong(text))
  }
  const end = () => {
    // an invalid value stays in the field but is not saved
    if (isRefused) return
    if (typed !== undefined) onChange(typed)
    type(undefined)
  }
  return (
    <input
      type="text"
      inputMode="numeric"
      autoComplete="off"
      aria-label={label}
      placeholder={String(common)}
      value={typed ?? seconds ?? ''}
      aria-invalid={isRefused || undefined}
      aria-describedby={isRefused ? note : undefined}
      onChange={(event) => type(event.target.value)}
      onBlur={end}
      onKeyDown={(event) => {
        if (isSaveKey(event)) return end()
        event.stopPropagation()
        if (event.key === 'Enter') end()
        if (event.key === 'Escape') type(undefined)
      }}
      className={cx(
        'h-6 w-full rounded border bg-surface px-1.5 text-right text-ink tabular-nums placeholder:text-ink-3',
        isRefused ? 'border-red' : 'border-control',
      )}
    />
  )
}
