import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { cx } from './cx.ts'

interface Option<T extends string> {
  value: T
  label: string
  icon?: ReactNode
}

interface SegmentedToggleProps<T extends string> {
  /** names the group for those who cannot see it */
  label: string
  value: T
  options: readonly Option<T>[]
  onChange: (value: T) => void
  /** choosing the active one again; without it nothing happens then */
  onReset?: () => void
}

const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** One of a few. A radio group: Tab reaches the chosen one, arrows choose another. */
export function SegmentedToggle<T extends string>(props: SegmentedToggleProps<T>) {
  const { label, value, options, onChange, onReset } = props
  const group = useRef<HTMLDivElement>(null)

  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    const at = options.findIndex((option) => option.value === value)
    const next = (at + step + options.length) % options.length
    onChange(options[next]!.value)
    group.current?.querySelectorAll<HTMLElement>('[role=radio]')[next]?.focus()
  }

  return (
    <div
      ref={group}
      role="radiogroup"
      aria-label={label}
      onKeyDown={onKeyDown}
      className="inline-flex h-8 shrink-0 items-center rounded-md border border-line bg-sunken p-0.5"
    >
      {options.map((option) => {
        const active = option.value === value
        return (
          <button
            key={option.value}
            type="button"
            role="radio"
            aria-checked={active}
            tabIndex={active ? 0 : -1}
            onClick={() => (active ? onReset?.() : onChange(option.value))}
            className={cx(
              'inline-flex h-full items-center gap-1.5 rounded-[5px] px-2.5 text-xs font-medium whitespace-nowrap',
              active ? 'bg-surface text-ink shadow-xs ring-1 ring-line-strong' : 'text-ink-2 hover:text-ink',
            )}
          >
            {option.icon}
            {option.label}
          </button>
        )
      })}
    </div>
  )
}
