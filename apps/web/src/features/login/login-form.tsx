import { type ErrorBody, getState, type LoginInput, type LoginReply, postLogin } from '@pulse/contract'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useApi } from '../../api/api.tsx'
import type { Api } from '../../api/client.ts'
import { credentialHeaders } from '../../api/credentials.ts'
import { ApiError } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { type LoginMessage, noSession } from './message.tsx'

interface LoginFormProps {
  onMessage: (message: LoginMessage | undefined) => void
  /** resolves to false if the session was not valid for the next call */
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

type SignIn = { signedIn: true } | { signedIn: false; message: string; clearPassword: boolean }

/** If the login call gets no answer, retries once with HTTP Basic; the answer sets the session cookie. */
async function signIn(api: Api, input: LoginInput): Promise<SignIn> {
  try {
    const reply = await api.call(postLogin, { body: input, skipAuth: true, retryLimited: false })
    return reply.success ? { signedIn: true } : refused(200, reply)
  } catch (error) {
    return error instanceof ApiError ? refused(error.status, error.body) : signInBasic(api, input)
  }
}

async function signInBasic(api: Api, input: LoginInput): Promise<SignIn> {
  try {
    const headers = credentialHeaders({ kind: 'basic', ...input })
    const response = await api.send(getState.path, { skipAuth: true, retryLimited: false, headers })
    if (!response.ok) return refused(response.status, await response.json().catch(() => undefined))
    await response.body?.cancel()
  } catch {
    return { signedIn: false, message: 'Failed to connect to server', clearPassword: false }
  }
  return { signedIn: true }
}

function refused(status: number, body: unknown): SignIn {
  return {
    signedIn: false,
    message: refusalText(status, body),
    clearPassword: status === 401 || status === 403,
  }
}

type Refusal = Partial<
  Pick<LoginReply, 'message' | 'remainingMinutes' | 'remaining' | 'locked'> & Pick<ErrorBody, 'error'>
>

const isOf = (body: object, type: 'string' | 'number' | 'boolean', ...fields: (keyof Refusal)[]) =>
  fields.every((field) => ['undefined', type].includes(typeof (body as Refusal)[field]))

/** All fields are optional: a proxy may have answered instead of Pulse. */
function isRefusal(body: unknown): body is Refusal {
  return (
    typeof body === 'object' &&
    body !== null &&
    isOf(body, 'string', 'message', 'error') &&
    isOf(body, 'number', 'remainingMinutes', 'remaining') &&
    isOf(body, 'boolean', 'locked')
  )
}

/** Error text for a refused sign-in. */
export function refusalText(status: number, body: unknown): string {
  const { message, error, remainingMinutes = 0, remaining = 0, locked } = isRefusal(body) ? body : {}
  const said = message || error
  switch (status) {
    case 403:
      if (remainingMinutes > 0) return `Account locked. Please try again in ${remainingMinutes} minute(s).`
      return said || 'Account temporarily locked due to too many failed attempts.'
    case 429:
      return said || 'Too many requests. Please wait a moment and try again.'
    case 401:
      if (locked) return said || 'Invalid username or password. Account is now locked.'
      return (
        (said || 'Invalid username or password.') +
        (remaining > 0 ? ` (${remaining} attempt(s) remaining)` : '')
      )
    default:
      return said || 'Server error. Please try again.'
  }
}
