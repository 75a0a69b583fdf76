import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

interface Option<T extends string> {
  value: T
  label: string
  icon?: ReactNode
}

interface SegmentedToggleProps<T extends string> {
  /** accessible name of the group */
  label: string
  value: T
  options: readonly Option<T>[]
  onChange: (value: T) => void
  /** called when the user chooses the active option again */
  onReset?: () => void
}

/** A choice of a few options. Tab reaches the chosen one, arrows choose another. */
export function SegmentedToggle<T extends string>(props: SegmentedToggleProps<T>) {
  const { label, value, options, onChange, onReset } = props
  return (
    <RadioGroup
      aria-label={label}
      value={value}
      onValueChange={(next) => onChange(next)}
      className="inline-flex h-8 shrink-0 items-center rounded-md border border-control bg-sunken p-0.5"
    >
      {options.map((option) => {
        const active = option.value === value
        return (
          <Radio.Root
            key={option.value}
            value={option.value}
            // a button, so that a disabled fieldset disables it
            nativeButton
            render={
              <button type="button">
                {option.icon}
                {option.label}
              </button>
            }
            onClick={() => active && onReset?.()}
            className={cx(
              'segment relative inline-flex h-full items-center gap-1.5 rounded-[5px] px-2.5 text-xs font-medium whitespace-nowrap select-none',
              active ? 'bg-surface text-ink shadow-xs ring-1 ring-control' : 'text-ink-2 hover:text-ink',
            )}
          />
        )
      })}
    </RadioGroup>
  )
}
