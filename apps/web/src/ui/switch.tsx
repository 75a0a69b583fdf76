import { Switch as Base } from '@base-ui/react/switch'
import { useId } from 'react'

interface SwitchProps {
  label: string
  hint?: string
  /** accessible name if the label is only the state */
  name?: string
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}

export function Switch({ label, name, hint, checked, onChange, disabled = false }: SwitchProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-3">
      <Base.Root
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        {...(name ? { 'aria-label': name } : { 'aria-labelledby': `${id}-label` })}
        {...(hint && { 'aria-describedby': `${id}-hint` })}
        // the touch target is larger than the track
        className="group/switch -my-0.5 inline-flex h-6 shrink-0 items-center data-disabled:opacity-60"
      >
        <span className="inline-flex h-[18px] w-8 items-center rounded-full border border-control bg-track px-px group-data-checked/switch:border-accent-fill group-data-checked/switch:bg-accent-fill">
          <Base.Thumb className="switch-thumb size-3.5 rounded-full bg-white shadow-xs ring-1 ring-black/20 transition-transform data-checked:translate-x-3.5" />
        </span>
      </Base.Root>
      <div className="min-w-0">
        <p id={`${id}-label`} className="text-table font-medium">
          {label}
        </p>
        {hint && (
          <p id={`${id}-hint`} className="text-xs text-ink-2">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
