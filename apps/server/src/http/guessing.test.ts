import { lockoutMinutes, maxLoginAttempts } from '@pulse/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectLive } from '../testing/live-client.ts'
import { addUser, password, sessionOf, steppedClock } from '../testing/people.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'

const clock = steppedClock()
let server: TestServer
let nextHost = 1

beforeAll(async () => {
  server = await startTestServer(clock, { API_TOKENS: adminToken, PULSE_TRUSTED_PROXIES: '127.0.0.1' })
  await addUser(server, 'anna', 'admin')
})
afterAll(() => server.stop())
beforeEach(async () => {
  clock.pass(61_000)
  await server.call('POST', '/api/security/reset-lockout', { identifier: 'anna' })
})

const basic = (name: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`,
})

/** A client on another machine, as a trusted proxy reports it. */
function aHost(address = `192.0.2.${nextHost++}`) {
  const from = { 'x-forwarded-for': address }
  const call = server.as(from)
  return {
    address,
    poll: (secret: string, name = 'anna') =>
      server.as({ ...from, ...basic(name, secret) })('GET', '/api/stats'),
    login: (secret: string, name = 'anna') =>
      call('POST', '/api/login', { username: name, password: secret }),
    as: (headers: Record<string, string>) => server.as({ ...from, ...headers }),
    from,
  }
}
type Host = ReturnType<typeof aHost>

async function signIn(host: Host) {
  const answer = await host.login(password)
  expect(answer.status).toBe(200)
  return host.as(sessionOf(answer.headers))
}

/** Every call that accepts a password, with the right one. */
const paths: Record<string, (host: Host, signedIn: Awaited<ReturnType<typeof signIn>>) => Promise<unknown>> =
  {
    'the sign-in call': (host) => host.login(password),
    'Basic with a call': (host) => host.poll(password),
    'Basic with a socket': (host) =>
      connectLive(server.url, { headers: { ...host.from, ...basic('anna', password) } }).then(
        (live) => (live.close(), { status: 101 }),
        (error: Error) => ({ status: Number(/\d{3}/.exec(error.message)?.[0]) }),
      ),
    'the change of a password': (_, signedIn) =>
      signedIn('POST', '/api/security/change-password', { currentPassword: password, newPassword: password }),
    'the export under the login password': (_, signedIn) =>
      signedIn('POST', '/api/config/export', { passphrase: password, isLoginPassword: true }),
  }

describe('[S5] while a program polls by Basic from its own machine', () => {
  test('a stranger who is locked out stays so, also with the right guess, and the program goes on', async () => {
    const [program, stranger] = [aHost(), aHost()]
    expect((await program.poll(password)).status).toBe(200)
    for (let n = 0; n < maxLoginAttempts; n++) expect((await stranger.poll(`guess ${n}`)).status).toBe(401)
    expect(await stranger.poll(password)).toMatchObject({ status: 403, body: { code: 'account_locked' } })
    expect(await stranger.login(password)).toMatchObject({ status: 403, body: { code: 'account_locked' } })
    for (let n = 0; n < 30; n++) expect((await program.poll(password)).status).toBe(200)
    clock.pass(lockoutMinutes * 60_000)
    expect((await stranger.poll(password)).status).toBe(200)
  })

  test('a stranger who has used up the minute is refused with the right guess too', async () => {
    const [program, stranger] = [aHost(), aHost()]
    expect((await program.poll(password)).status).toBe(200)
    for (let n = 0; n < 10; n++) await stranger.poll('wrong', `unknown-${n}`)
    expect((await stranger.poll(password)).status).toBe(429)
    expect((await program.poll(password)).status).toBe(200)
  })
})

test('[S5] a stranger behind the address of a program that polls has five guesses, not four a minute', async () => {
  const home = aHost()
  const statuses: number[] = []
  for (let minute = 0; minute < 3; minute++) {
    expect((await home.poll(password)).status).toBe(200)
    for (let n = 0; n < 2; n++) statuses.push((await home.poll(`guess ${minute} ${n}`)).status)
    clock.pass(61_000)
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 403])
})

describe('[S5] the lock and the limit are asked before the password, on every path that takes one:', () => {
  test.each(Object.keys(paths))('%s, while the account is locked for this client', async (path) => {
    const host = aHost()
    const signedIn = await signIn(host)
    expect((await host.poll(password)).status).toBe(200) // puts the pair into the cache
    for (let n = 0; n < maxLoginAttempts; n++) await host.login('wrong')
    expect(await paths[path]!(host, signedIn)).toMatchObject({ status: 403 })
  })

  test.each(Object.keys(paths))('%s, when the guesses of the minute are used up', async (path) => {
    const host = aHost()
    const signedIn = await signIn(host)
    expect((await host.poll(password)).status).toBe(200)
    for (let n = 0; n < 10; n++) await host.poll('wrong', `unknown-${n}`)
    expect(await paths[path]!(host, signedIn)).toMatchObject({ status: 429 })
  })

  test('guesses on all paths share one count', async () => {
    const host = aHost()
    const signedIn = await signIn(host)
    const guesses = [
      () => host.login('wrong', 'a'),
      () => host.poll('wrong', 'b'),
      () => signedIn('POST', '/api/config/export', { passphrase: 'wrong', isLoginPassword: true }),
    ]
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) statuses.push((await guesses[n % 3]!()).status)
    expect(statuses.slice(0, 10)).not.toContain(429)
    expect(statuses.slice(10)).toEqual([429, 429])
  })
})

test('[spec 1 §8] the 429 of a sign-in has its documented code and a message for people', async () => {
  const host = aHost()
  for (let n = 0; n < 10; n++) await host.login('wrong', `unknown-${n}`)
  const message = 'Too many requests. Please wait a moment and try again.'
  expect(await host.login(password)).toMatchObject({
    status: 429,
    body: { success: false, code: 'rate_limit', message, error: message },
  })
})
