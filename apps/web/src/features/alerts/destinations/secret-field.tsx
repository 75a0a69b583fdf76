import { secretLength } from '@pulse/contract'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { TextField } from '../../../ui/text-field.tsx'

interface SecretFieldProps {
  label: string
  value: string
  isStored: boolean
  /** why the stored secret must be entered again */
  again: string | undefined
  error: string | undefined
  /** saving removes the stored secret */
  isCleared: boolean
  onChange: (secret: string) => void
  onClear: (clear: boolean) => void
}

const kept = '••••••••'

/** A write-only secret. A blank field keeps the stored one, unless its destination changed. */
export function SecretField(props: SecretFieldProps) {
  const { label, value, isStored, again, error, isCleared, onChange, onClear } = props
  const hint = isCleared
    ? 'Removed when you save.'
    : (again ?? (isStored ? 'Leave blank to keep the saved one.' : undefined))
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label={label}
        type="password"
        value={value}
        onChange={onChange}
        disabled={isCleared}
        // the reason for asking again is more useful than the error
        error={error && (again ?? error)}
        hint={hint}
        placeholder={isStored && again === undefined && !isCleared ? kept : ''}
        maxLength={secretLength}
        autoComplete="new-password"
      />
      {isStored && (
        <Checkbox label={`Remove the stored ${label.toLowerCase()}`} checked={isCleared} onChange={onClear} />
      )}
    </div>
  )
}
