import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useApi } from '../../api/api.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { type LoginMessage, noSession } from './message.tsx'
import { signIn } from './sign-in.ts'

interface LoginFormProps {
  onMessage: (message: LoginMessage | undefined) => void
  /** resolves to false when the session did not last until the next call */
  onSignedIn: () => Promise<boolean>
}

export function LoginForm({ onMessage, onSignedIn }: LoginFormProps) {
  const api = useApi()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const usernameInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  useEffect(() => usernameInput.current?.focus(), [])

  const submit = async () => {
    if (busy || !username || !password) return
    setBusy(true)
    onMessage(undefined)
    const result = await signIn(api, { username, password })
    if (result.signedIn) {
      if (!(await onSignedIn())) onMessage(noSession)
    } else {
      onMessage({ kind: 'error', text: result.message })
      if (result.clearPassword) {
        setPassword('')
        passwordInput.current?.focus()
      }
    }
    setBusy(false)
  }

  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void submit()
  }

  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      <TextField
        ref={usernameInput}
        label="Username"
        name="username"
        value={username}
        onChange={setUsername}
        required
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <TextField
        ref={passwordInput}
        label="Password"
        name="password"
        type="password"
        value={password}
        onChange={setPassword}
        required
        autoComplete="current-password"
      />
      <Button type="submit" variant="primary" className="h-9" disabled={busy}>
        {busy ? 'Authenticating...' : 'Sign in'}
      </Button>
    </form>
  )
}
