import type { Clock } from '@pulse/domain'
import { realClock } from '../edges.ts'
import type { Call, TestServer } from './server.ts'

export const password = 'correct horse battery'

/** Cookie and CSRF header from the answer to a sign-in. */
export function sessionOf(headers: Headers): Record<string, string> {
  const pairs = headers.getSetCookie().map((line) => line.split(';')[0]!)
  const csrf = pairs.find((pair) => pair.startsWith('pulse_csrf='))?.split('=')[1]
  if (!csrf) throw new Error('the answer starts no session')
  return { cookie: pairs.join('; '), 'x-csrf-token': csrf }
}

export const login = (server: Pick<TestServer, 'as'>, username: string, secret = password) =>
  server.as({})('POST', '/api/login', { username, password: secret })

/** The headers of a new session. */
export async function signIn(server: Pick<TestServer, 'as'>, username: string, secret = password) {
  const { status, text, headers } = await login(server, username, secret)
  if (status !== 200) throw new Error(`${username} cannot sign in: ${text}`)
  return sessionOf(headers)
}

export async function addUser(server: Pick<TestServer, 'call'>, name: string, role: 'admin' | 'viewer') {
  const { status, text, body } = await server.call('POST', '/api/security/users', { name, password, role })
  if (status !== 201) throw new Error(`${name} cannot be added: ${text}`)
  return (body as { id: string }).id
}

export async function addToken(call: Call, input: Record<string, unknown> = {}) {
  const { status, text, body } = await call('POST', '/api/security/tokens', input)
  if (status !== 200) throw new Error(`no token: ${text}`)
  const { token, record } = body as { token: string; record: { id: string } }
  return { token, id: record.id, headers: { 'x-api-token': token } }
}

/** Real time, with leaps of hours and an adjustable wall clock. */
export interface SkippingClock extends Clock {
  /** Sets the wall clock. */
  step(ms: number): void
  /** Advances both clocks by this time. */
  pass(ms: number): void
}

export function steppedClock(base: Clock = realClock): SkippingClock {
  let steppedMs = 0
  let passedMs = 0
  return {
    ...base,
    now: () => base.now() + passedMs + steppedMs,
    monotonic: () => base.monotonic() + passedMs,
    step: (ms) => void (steppedMs += ms),
    pass: (ms) => void (passedMs += ms),
  }
}
