import { minPasswordLength } from '@pulse/contract'
import { generatePassword } from '../../../parts/setup/random-secret.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyField } from '../../../ui/copy-field.tsx'
import { DialogActions } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { SegmentedToggle } from '../../../ui/segmented-toggle.tsx'
import { TextField } from '../../../ui/text-field.tsx'

/** How an administrator sets another user's password. */
export interface PasswordEntry {
  mode: 'generated' | 'typed'
  typed: string
}

export const newPasswordEntry: PasswordEntry = { mode: 'generated', typed: '' }

export const passwordOf = ({ mode, typed }: PasswordEntry): string =>
  mode === 'generated' ? generatePassword() : typed

export const entryProblem = ({ mode, typed }: PasswordEntry): string | undefined =>
  mode === 'typed' && typed.length < minPasswordLength ? 'Password must be at least 8 characters' : undefined

const modes = [
  { value: 'generated', label: 'Generate' },
  { value: 'typed', label: 'Type' },
] as const

interface PasswordEntryFieldsProps {
  entry: PasswordEntry
  onChange: (entry: PasswordEntry) => void
  error: string | undefined
}

export function PasswordEntryFields({ entry, onChange, error }: PasswordEntryFieldsProps) {
  return (
    <div className="flex flex-col items-stretch gap-2">
      <span aria-hidden className="text-table font-medium">
        Password
      </span>
      <div>
        <SegmentedToggle
          label="Password"
          value={entry.mode}
          options={modes}
          onChange={(mode) => onChange({ ...entry, mode })}
        />
      </div>
      {entry.mode === 'generated' ? (
        <p className="text-xs text-ink-2">
          A random password of 16 characters. It is shown once, in the next step.
        </p>
      ) : (
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          value={entry.typed}
          onChange={(typed) => onChange({ ...entry, typed })}
          error={error}
          hint="At least 8 characters"
        />
      )}
    </div>
  )
}

interface PasswordShownProps {
  name: string
  password: string
  onDone: () => void
}

/** Shows the password once. */
export function PasswordShown({ name, password, onDone }: PasswordShownProps) {
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="yellow" announce>
        {`The password of ${name} is shown only now. Hand it over safely.`}
      </Notice>
      <CopyField label="Password" value={password} />
      <DialogActions>
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </DialogActions>
    </div>
  )
}
