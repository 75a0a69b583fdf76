import { postQuickSetup } from '@pulse/contract'
import { type FormEvent, useEffect, useState } from 'react'
import { useApi } from '../../api/api.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SegmentedToggle } from '../../ui/segmented-toggle.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { NewCredentials } from './credentials-file.ts'
import { generateApiToken, generatePassword } from './random-secret.ts'
import { setupErrors, setupInput, type SetupMode, setupTokenIn, type SetupValues } from './setup-values.ts'

interface SetupFormProps {
  mode: SetupMode
  username: string
  onCreated: (credentials: NewCredentials) => void
  onCancel?: (() => void) | undefined
}

const skippedText =
  'Security is already configured. Please remove existing security first if you want to reconfigure.'

export function SetupForm({ mode, username, onCreated, onCancel }: SetupFormProps) {
  const api = useApi()
  // the same in all attempts, because the server may have stored them even if its answer was lost
  const [secrets] = useState(() => ({ password: generatePassword(), apiToken: generateApiToken() }))
  const [values, setValues] = useState<SetupValues>(() => ({
    username,
    passwordMode: 'generated',
    password: '',
    confirmation: '',
    setupToken: setupTokenIn(window.location.hash),
  }))
  const [checked, setChecked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  useForgottenSetupToken()

  const errors = setupErrors(values)
  const change = (part: Partial<SetupValues>) => {
    setValues((before) => ({ ...before, ...part }))
    if (part.passwordMode) {
      setChecked(false)
      setFailure(undefined)
    }
  }

  const submit = async () => {
    setChecked(true)
    if (busy || Object.keys(errors).length > 0) return
    setBusy(true)
    setFailure(undefined)
    const input = setupInput(mode, values, secrets)
    try {
      const { skipped } = await api.call(postQuickSetup, { body: input, retryLimited: false })
      if (skipped) setFailure(skippedText)
      else onCreated(input)
    } catch (error) {
      setFailure(`Failed to setup security: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      setBusy(false)
    }
  }

  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void submit()
  }

  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      {mode === 'initial' ? (
        <>
          <p className="text-table text-ink-2">
            Create the first administrator. From then on, everyone has to sign in.
          </p>
          <SetupTokenField value={values.setupToken} onChange={(setupToken) => change({ setupToken })} />
        </>
      ) : (
        <p className="text-table text-ink-2">
          The new password and the new API token replace the current ones at once. Update everything that uses
          the old ones.
        </p>
      )}
      <TextField
        label="Username"
        value={values.username}
        onChange={(text) => change({ username: text })}
        required
        maxLength={128}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <PasswordChoice values={values} errors={checked ? errors : {}} onChange={change} />
      <p className="text-xs text-ink-3">
        An API token for scripts and integrations is generated too, and shown in the next step.
      </p>
      {failure && (
        <Notice tone="red" announce>
          {failure}
        </Notice>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {onCancel && (
          <Button disabled={busy} onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" variant="primary" disabled={busy}>
          {buttonText(mode, busy)}
        </Button>
      </div>
    </form>
  )
}

const buttonText = (mode: SetupMode, busy: boolean) => {
  if (mode === 'initial') return busy ? 'Setting up...' : 'Set up Pulse'
  return busy ? 'Rotating...' : 'Rotate credentials'
}

function SetupTokenField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  return (
    <TextField
      label="Setup token"
      value={value}
      onChange={onChange}
      required
      maxLength={256}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      hint={
        <>
          Proves that you control this server. Pulse prints it at startup and stores it in{' '}
          <code className="font-mono">.bootstrap_token</code> in its data folder.
        </>
      }
    />
  )
}

/** Removes the one-time token from the address, so that history and shared links do not contain it. */
function useForgottenSetupToken() {
  useEffect(() => {
    const { hash, pathname, search } = window.location
    if (setupTokenIn(hash)) history.replaceState(history.state, '', pathname + search)
  }, [])
}

const choices = [
  { value: 'generated', label: 'Generate' },
  { value: 'custom', label: 'Choose my own' },
] as const

interface PasswordChoiceProps {
  values: SetupValues
  errors: { password?: string; confirmation?: string }
  onChange: (change: Partial<SetupValues>) => void
}

function PasswordChoice({ values, errors, onChange }: PasswordChoiceProps) {
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
