import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { cx } from '../../../ui/cx.ts'
import { tip } from '../../../ui/tooltip.tsx'
import { isSaveKey } from '../save-key.ts'
import { cellName, useEditing } from './editing.tsx'
import type { Metric } from './metrics.ts'
import { isOff, readTyped } from './value.ts'

interface ValueCellProps {
  /** row key, unique on the page */
  row: string
  /** resource name, for screen readers */
  of: string
  metric: Metric
  trigger: number | undefined
  /** an override, not inherited */
  isOwn: boolean
  tabIndex: 0 | -1
  /** undefined if read-only */
  onChange: ((trigger: number | undefined) => void) | undefined
  /** why it is read-only */
  why?: string | undefined
}

const box = 'h-6 w-full rounded px-1.5 text-right tabular-nums'

/** A threshold. Click to edit; leaving the cell saves. */
export function ValueCell(props: ValueCellProps) {
  const { row, of, metric, trigger, isOwn, tabIndex, onChange, why } = props
  const editing = useEditing()
  const cell = cellName(row, metric.key)
  const button = useRef<HTMLButtonElement>(null)
  const comesBack = useRef(false)
  const isEdited = editing.cell === cell && onChange !== undefined
  useLayoutEffect(() => {
    if (isEdited || !comesBack.current) return
    comesBack.current = false
    button.current?.focus()
  }, [isEdited])
  const off = isOff(trigger)
  const text = off ? 'Off' : trigger === undefined ? '—' : formatNumber(trigger, undefined, 2)
  const label = `${metric.header} of ${of}: ${text}`

  if (isEdited) {
    return (
      <TypedValue
        label={`${metric.header} of ${of}`}
        metric={metric}
        trigger={trigger}
        onEnd={({ keeps, typed, byKey }) => {
          if (!editing.end(cell)) return
          comesBack.current = byKey
          if (!keeps) return
          const read = readTyped(typed, metric)
          if (read.what !== 'ignored') onChange(read.what === 'value' ? read.value : undefined)
        }}
      />
    )
  }
  return (
    <button
      ref={button}
      type="button"
      tabIndex={tabIndex}
      disabled={onChange === undefined}
      aria-label={label}
      data-own={isOwn}
      onClick={() => {
        if (!off) return editing.start(cell)
        editing.note(cell)
        onChange?.(metric.switchedOn)
      }}
      className={cx(
        box,
        'disabled:cursor-default',
        isOwn ? 'font-semibold text-accent' : off ? 'text-ink-3' : 'text-ink-2',
        onChange && 'ring-1 ring-line hover:bg-sunken hover:ring-control focus-visible:outline-offset-0',
      )}
      {...tip(why ?? (off ? `Off. Click to enable at ${metric.switchedOn}${unitText(metric)}.` : undefined))}
    >
      {text}
    </button>
  )
}

const unitText = ({ unit }: Metric) => (unit === '%' || unit === '' ? unit : ` ${unit}`)

interface Ended {
  keeps: boolean
  typed: string
  byKey: boolean
}

interface TypedValueProps {
  label: string
  metric: Metric
  trigger: number | undefined
  onEnd: (ended: Ended) => void
}

function TypedValue({ label, metric, trigger, onEnd }: TypedValueProps) {
  const [typed, setTyped] = useState(trigger === undefined ? '' : String(trigger))
  const hint = useId()
  const onKeyDown = (event: KeyboardEvent) => {
    if (isSaveKey(event)) return onEnd({ keeps: true, typed, byKey: true })
    // keys typed here must not reach the table's or the page's shortcuts
    event.stopPropagation()
    if (!['Enter', 'Escape', 'Tab'].includes(event.key)) return
    // the button that replaces the input gets the focus: Tab goes on from it, and Enter must not press it
    if (event.key !== 'Tab') event.preventDefault()
    onEnd({ keeps: event.key !== 'Escape', typed, byKey: true })
  }
  return (
    <>
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user opened this field with a click or a key and types next
        autoFocus
        type="text"
        inputMode={metric.min < 0 ? 'text' : 'decimal'}
        autoComplete="off"
        aria-label={label}
        // no tooltip: it would consume the first Escape
        aria-describedby={hint}
        value={typed}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => onEnd({ keeps: true, typed, byKey: false })}
        className={cx(box, 'bg-surface text-ink ring-1 ring-accent outline-none')}
      />
      <span id={hint} hidden>
        {metric.min < 0 ? '-1 turns it off. Leave empty to inherit.' : '0 turns it off.'}
      </span>
    </>
  )
}
