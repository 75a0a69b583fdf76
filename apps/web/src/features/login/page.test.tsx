// @vitest-environment happy-dom
import type { SecurityStatus } from '@pulse/contract'
import { aSecurityStatus } from '@pulse/testkit'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiProvider } from '../../api/api.tsx'
import { createApi } from '../../api/client.ts'
import { createCredentials } from '../../api/credentials.ts'
import { createRequester } from '../../api/request.ts'
import { LoginPage } from './page.tsx'

const status = aSecurityStatus()

type Answer = Response | Error | Promise<Response>
const json = (body: unknown, code = 200) => Response.json(body, { status: code })
const offline = new TypeError('Failed to fetch')

interface Given {
  known?: Partial<SecurityStatus> | 'ask'
  answers?: Record<string, () => Answer>
  signedIn?: boolean
  page?: Partial<Parameters<typeof LoginPage>[0]>
}

async function show({ known = {}, answers = {}, signedIn = true, page = {} }: Given = {}) {
  const sent: { call: string; headers: Headers; body: unknown }[] = []
  const waits: number[] = []
  const credentials = createCredentials()
  const requester = createRequester({
    async fetch(url, { method = 'GET', headers, body }) {
      const call = `${method} ${url}`
      sent.push({ call, headers: new Headers(headers), body: body && JSON.parse(body as string) })
      const answer = await answers[call]?.()
      if (answer instanceof Response) return answer
      throw answer ?? new Error(`${call} is not answered`)
    },
    cookies: () => '',
    wait: async (ms) => void waits.push(ms),
    warn: () => {},
    onUnauthorized: () => {},
    credentials,
  })
  const onSignedIn = vi.fn(async () => signedIn)
  await act(async () =>
    render(
      <ApiProvider api={createApi(requester, credentials)}>
        <LoginPage
          status={known === 'ask' ? undefined : { ...status, ...known }}
          ended={false}
          returned={undefined}
          onSignedIn={onSignedIn}
          {...page}
        />
      </ApiProvider>,
    ),
  )
  return { sent, waits, credentials, onSignedIn }
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const fill = (label: string, value: string) => fireEvent.change(field(label), { target: { value } })
const submit = () => act(async () => void fireEvent.submit(field('Username').form!))
const message = () => screen.queryByRole('alert')

async function signIn() {
  fill('Username', 'ann')
  fill('Password', 'pä:ss')
  await submit()
}

beforeEach(() => {
  history.replaceState(null, '', '/')
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

describe('an installation with tokens only', () => {
  test('says how to make an account, and asks for no password that does not exist', async () => {
    await show({ known: { noAccount: true } })
    expect(screen.queryByLabelText('Username')).toBeNull()
    expect(screen.getByText('There is no account to sign in with yet')).toBeDefined()
    for (const way of ['PULSE_AUTH_USER', 'PULSE_AUTH_PASS']) expect(screen.getByText(way)).toBeDefined()
    expect(field('Command').value).toBe('npm start -- reset-password --create admin')
  })

  test('with single sign-on offers that alone', async () => {
    await show({ known: { noAccount: true, oidcEnabled: true } })
    expect(screen.queryByText('There is no account to sign in with yet')).toBeNull()
    expect(screen.getByRole('button', { name: 'Sign in with single sign-on' })).toBeDefined()
    expect(screen.queryByLabelText('Username')).toBeNull()
  })
})

describe('[spec 1 §2] the form', () => {
  test('asks for username and password, both required', async () => {
    const { sent } = await show()
    expect(field('Username')).toMatchObject({ required: true, autocomplete: 'username' })
    expect(field('Password')).toMatchObject({
      required: true,
      autocomplete: 'current-password',
      type: 'password',
    })
    expect(document.activeElement).toBe(field('Username'))
    await submit()
    expect(sent).toEqual([])
  })

  test('the password can be shown', async () => {
    await show()
    fireEvent.click(screen.getByRole('button', { name: 'Show' }))
    expect(field('Password').type).toBe('text')
    fireEvent.click(screen.getByRole('button', { name: 'Hide' }))
    expect(field('Password').type).toBe('password')
  })

  test('reads Authenticating... while busy, and sends once', async () => {
    const { sent } = await show({ answers: { 'POST /api/login': () => new Promise(() => {}) } })
    await signIn()
    await submit()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Authenticating...' }).disabled).toBe(true)
    expect(sent.map(({ call, body }) => [call, body])).toEqual([
      ['POST /api/login', { username: 'ann', password: 'pä:ss' }],
    ])
  })

  test('signed in: the app decides again', async () => {
    const { onSignedIn } = await show({ answers: { 'POST /api/login': () => json({ success: true }) } })
    await signIn()
    expect(onSignedIn).toHaveBeenCalledOnce()
    expect(message()).toBeNull()
  })

  test('signed in, but the browser keeps no session: says so', async () => {
    await show({ answers: { 'POST /api/login': () => json({ success: true }) }, signedIn: false })
    await signIn()
    expect(message()!.textContent).toContain('did not keep the session')
  })
})

describe('[spec 1 §8] a refusal', () => {
  test.each([
    { code: 401, cleared: true },
    { code: 403, cleared: true },
    { code: 429, cleared: false },
    { code: 500, cleared: false },
  ])('[spec 1 §5] with $code clears the password: $cleared', async ({ code, cleared }) => {
    await show({ answers: { 'POST /api/login': () => json({ message: 'No.' }, code) } })
    await signIn()
    expect(message()!.textContent).toBe('No.')
    expect(field('Password').value).toBe(cleared ? '' : 'pä:ss')
    expect(field('Username').value).toBe('ann')
  })

  test('with 429 shows at once and is not tried again', async () => {
    const limited = new Response('{}', { status: 429, headers: { 'Retry-After': '60' } })
    const { sent, waits } = await show({ answers: { 'POST /api/login': () => limited } })
    await signIn()
    expect(message()!.textContent).toBe('Too many requests. Please wait a moment and try again.')
    expect({ sent: sent.length, waits }).toEqual({ sent: 1, waits: [] })
  })

  test.each([
    { body: { remainingMinutes: 15 }, code: 403, look: 'locked', note: true },
    { body: {}, code: 403, look: 'locked', note: false },
    { body: { locked: true }, code: 401, look: 'locked', note: false },
    { body: { message: 'Wait a minute.' }, code: 429, look: 'error', note: false },
    { body: {}, code: 401, look: 'error', note: false },
  ])('[spec 1 §2] $code $body looks $look, note that it ends: $note', async (row) => {
    await show({ answers: { 'POST /api/login': () => json(row.body, row.code) } })
    await signIn()
    const box = message()!
    expect(box.dataset['look']).toBe(row.look)
    expect(box.querySelector('.lucide-lock') !== null).toBe(row.look === 'locked')
    expect(box.textContent.includes('Lockouts expire automatically.')).toBe(row.note)
  })

  test('is gone with the next attempt', async () => {
    const answers = { 'POST /api/login': (): Answer => json({}, 401) }
    await show({ answers })
    await signIn()
    answers['POST /api/login'] = () => new Promise(() => {})
    await signIn()
    expect(message()).toBeNull()
  })
})

describe('[spec 1 §7] no answer to the login call', () => {
  const lost = { 'POST /api/login': () => offline }

  test('the state is asked for with HTTP Basic; 200 means signed in', async () => {
    const { sent, onSignedIn, credentials } = await show({
      answers: { ...lost, 'GET /api/state': () => json({}) },
    })
    await signIn()
    expect(sent.map(({ call }) => call)).toEqual(['POST /api/login', 'GET /api/state'])
    const basic = sent[1]!.headers.get('Authorization')!.split(' ')[1]!
    expect(Buffer.from(basic, 'base64').toString()).toBe('ann:pä:ss')
    expect(onSignedIn).toHaveBeenCalledOnce()
    expect(credentials.get()).toBeUndefined()
  })

  test('a refusal there reads like any other', async () => {
    await show({ answers: { ...lost, 'GET /api/state': () => json({}, 401) } })
    await signIn()
    expect(message()!.textContent).toBe('Invalid username or password.')
    expect(field('Password').value).toBe('')
  })

  test('neither there: says that the server cannot be reached', async () => {
    await show({ answers: { ...lost, 'GET /api/state': () => offline } })
    await signIn()
    expect(message()!.textContent).toBe('Failed to connect to server')
    expect(field('Password').value).toBe('pä:ss')
  })
})

describe('[spec 1 §7] the security status', () => {
  const statusCall = 'GET /api/security/status'

  test('is not asked for again when it is known', async () => {
    expect((await show()).sent).toEqual([])
  })

  test('says whether to sign in or to set up', async () => {
    await show({ known: 'ask', answers: { [statusCall]: () => json({ ...status, oidcEnabled: true }) } })
    expect(screen.getByRole('button', { name: 'Sign in with single sign-on' })).toBeDefined()
    cleanup()
    const none = { ...status, hasAuthentication: false, requiresAuth: false }
    await show({ known: 'ask', answers: { [statusCall]: () => json(none) } })
    expect(screen.getByRole('heading', { name: 'Set up Pulse' })).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Check again' })).toBeNull()
  })

  test('answered with 429 counts as set up, at once', async () => {
    const { waits } = await show({ known: 'ask', answers: { [statusCall]: () => json({}, 429) } })
    expect(field('Username')).toBeDefined()
    expect(waits).toEqual([])
  })

  test.each([
    { when: 'a failure', answer: () => json({}, 500) },
    { when: 'no answer', answer: () => offline },
  ])('$when counts as nothing set up, with a way to ask again', async ({ answer }) => {
    const answers: Record<string, () => Answer> = { [statusCall]: answer }
    await show({ known: 'ask', answers })
    expect(screen.getByRole('heading', { name: 'Set up Pulse' })).toBeDefined()
    answers[statusCall] = () => json(status)
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Check again' })))
    expect(screen.getByRole('heading', { name: 'Sign in' })).toBeDefined()
  })
})

describe('[spec 1 §2] single sign-on', () => {
  const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

  test('is offered only when it is enabled', async () => {
    await show()
    expect(screen.queryByRole('button', { name: /single sign-on/ })).toBeNull()
  })

  test('reads Redirecting... and leads to the provider, to come back here', async () => {
    history.replaceState(null, '', '/docker?host=a%20b')
    const go = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
    const { sent } = await show({
      known: { oidcEnabled: true },
      answers: { 'POST /api/oidc/login': () => json({ authorizationUrl: 'https://idp.example/authorize' }) },
    })
    await act(async () => fireEvent.click(button('Sign in with single sign-on')))
    expect(sent.map(({ body }) => body)).toEqual([{ returnTo: '/docker?host=a%20b' }])
    expect(go).toHaveBeenCalledExactlyOnceWith('https://idp.example/authorize')
    expect(button('Redirecting...').disabled).toBe(true)
  })

  test('[spec 1 §8] that cannot be started says so and can be tried again', async () => {
    await show({
      known: { oidcEnabled: true },
      answers: { 'POST /api/oidc/login': () => json({ error: 'no' }, 500) },
    })
    await act(async () => fireEvent.click(button('Sign in with single sign-on')))
    expect(message()!.textContent).toBe('Failed to start single sign-on. Please try again.')
    expect(button('Sign in with single sign-on').disabled).toBe(false)
  })

  test('[spec 1 §8] that succeeded says so while the session is looked for', async () => {
    const onSignedIn = () => new Promise<boolean>(() => {})
    await show({ page: { returned: { outcome: 'success', code: '' }, onSignedIn } })
    expect(screen.getByText('Signed in successfully. Loading Pulse…')).toBeDefined()
  })

  test('[spec 1 §8] that failed says why', async () => {
    await show({ page: { returned: { outcome: 'error', code: 'unknown_code' } } })
    expect(message()!.textContent).toBe(
      'Single sign-on failed. Please try again or contact an administrator.',
    )
  })
})
