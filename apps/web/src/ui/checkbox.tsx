import { useId } from 'react'

interface CheckboxProps {
  label: string
  hint?: string
  checked: boolean
  onChange: (checked: boolean) => void
}

export function Checkbox({ label, hint, checked, onChange }: CheckboxProps) {
  const hintId = useId()
  return (
    <label className="flex items-start gap-2.5">
      <input
        type="checkbox"
        aria-label={label}
        aria-describedby={hint && hintId}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="check mt-0.5"
      />
      <span className="min-w-0">
        <span className="block text-table font-medium">{label}</span>
        {hint && (
          <span id={hintId} className="block text-xs text-ink-2">
            {hint}
          </span>
        )}
      </span>
    </label>
  )
}
