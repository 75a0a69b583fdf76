import { SegmentedToggle } from '../../ui/segmented-toggle.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { SetupValues } from './setup-values.ts'

const choices = [
  { value: 'generated', label: 'Generate' },
  { value: 'custom', label: 'Choose my own' },
] as const

interface PasswordChoiceProps {
  values: SetupValues
  errors: { password?: string; confirmation?: string }
  onChange: (change: Partial<SetupValues>) => void
}

export function PasswordChoice({ values, errors, onChange }: PasswordChoiceProps) {
  const { passwordMode, password, confirmation } = values
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-col items-start gap-1">
        <span aria-hidden className="text-table font-medium">
          Password
        </span>
        <SegmentedToggle
          label="Password"
          value={passwordMode}
          options={choices}
          onChange={(mode) => onChange({ passwordMode: mode })}
        />
      </div>
      {passwordMode === 'generated' ? (
        <p className="text-xs text-ink-3">A random password of 16 characters, shown in the next step.</p>
      ) : (
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField
            label="New password"
            type="password"
            autoComplete="new-password"
            value={password}
            onChange={(text) => onChange({ password: text })}
            error={errors.password}
            hint="At least 8 characters"
          />
          <TextField
            label="Confirm password"
            type="password"
            autoComplete="new-password"
            value={confirmation}
            onChange={(text) => onChange({ confirmation: text })}
            error={errors.confirmation}
          />
        </div>
      )}
    </div>
  )
}
