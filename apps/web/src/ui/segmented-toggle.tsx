import { type ReactNode, useId } from 'react'
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

/** One of a few. Real radio buttons: Tab reaches the chosen one, arrows choose another. */
export function SegmentedToggle<T extends string>(props: SegmentedToggleProps<T>) {
  const { label, value, options, onChange, onReset } = props
  const name = useId()
  return (
    <fieldset className="inline-flex h-8 shrink-0 items-center rounded-md border border-control bg-sunken p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => {
        const active = option.value === value
        return (
          <label
            key={option.value}
            className={cx(
              'segment relative inline-flex h-full items-center gap-1.5 rounded-[5px] px-2.5 text-xs font-medium whitespace-nowrap select-none',
              active ? 'bg-surface text-ink shadow-xs ring-1 ring-control' : 'text-ink-2 hover:text-ink',
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={active}
              onChange={() => onChange(option.value)}
              onClick={() => active && onReset?.()}
              className="absolute inset-0 cursor-pointer appearance-none opacity-0"
            />
            {option.icon}
            {option.label}
          </label>
        )
      })}
    </fieldset>
  )
}
