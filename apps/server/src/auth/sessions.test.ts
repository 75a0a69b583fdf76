import { parseSetCookie } from 'cookie'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DatabaseError } from '../database-error.ts'
import { sessionStore } from '../db/sessions.ts'
import { csrfTokenOf } from './cookies.ts'
import { aCaller, aGround, DAY_MS, filesOf, type Ground, HOUR_MS, MINUTE_MS } from './fixtures.ts'
import { beginSession, startSessions } from './fixtures-credentials.ts'
import { createSessions, type Sessions } from './sessions.ts'

let ground: Ground
let sessions: Sessions
let endings: number

beforeAll(async () => {
  ground = await aGround()
})
beforeEach(async () => {
  await ground.clear()
  endings = 0
  sessions = await started()
})
afterAll(() => ground.end())

const started = () => startSessions(ground, () => void endings++)
const signIn = (userId = 'anna', method?: 'oidc') => beginSession(sessions, userId, method)
const rows = () => sessionStore(ground.db).all()

describe('[facts/platform 3.1] a session', () => {
  test('is 256 random bits, of which only the hash is kept', async () => {
    const tokens = [await signIn(), await signIn()]
    expect(tokens[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(tokens[0]).not.toBe(tokens[1])
    // a server has its rows elsewhere
    const files = filesOf(ground.dataDir) + JSON.stringify(await rows())
    for (const token of tokens) {
      expect(files).toContain(sessions.find(token)!.token_hash)
      expect(files).not.toContain(token)
      expect(files).not.toContain(Buffer.from(token, 'hex').toString('latin1'))
      expect(files).not.toContain(csrfTokenOf(token))
    }
  })

  test('is still there after a restart, with its user and method', async () => {
    const tokens = [await signIn('anna'), await signIn('bert', 'oidc')]
    await ground.reopen()
    sessions = await started()
    const found = tokens.map((token) => sessions.find(token))
    expect(found).toMatchObject([
      { user_id: 'anna', method: 'session', client: '192.0.2.7', user_agent: 'Browser' },
      { user_id: 'bert', method: 'oidc' },
    ])
  })

  test('[S4] gives one CSRF token, whatever happens', async () => {
    const token = await signIn()
    await ground.clock.advance(DAY_MS / 2)
    expect(csrfTokenOf(token)).toMatch(/^[0-9a-f]{64}$/)
    expect(csrfTokenOf(token)).toBe(csrfTokenOf(token))
    expect(csrfTokenOf(token)).not.toBe(csrfTokenOf(await signIn()))
    expect(csrfTokenOf(token)).not.toBe(sessions.find(token)!.token_hash)
  })

  test('[reliability 3] with any bit of the cookie flipped is none', async () => {
    const token = await signIn()
    for (let bit = 0; bit < token.length * 8; bit++) {
      const bytes = Buffer.from(token)
      bytes[bit >> 3]! ^= 1 << (bit & 7)
      expect(sessions.find(bytes.toString('latin1'))).toBeUndefined()
    }
    for (const odd of ['', `${token}0`, token.slice(1), ` ${token}`, token.toUpperCase(), '0'.repeat(64)]) {
      expect(sessions.find(odd)).toBeUndefined()
    }
    expect(sessions.find(token)).toBeDefined()
  })
})

describe('[S4] cookies', () => {
  test.each([false, true])('with HTTPS: %s', async (encrypted) => {
    const secure = encrypted ? { secure: true } : {}
    const caller = aCaller({ encrypted })
    const [session, csrf] = (await sessions.create('anna', 'session', caller)).map((text) =>
      parseSetCookie(text),
    )
    const shared = { path: '/', maxAge: 30 * 24 * 3600, sameSite: 'lax', ...secure }
    expect(session).toEqual({ name: 'pulse_session', value: expect.any(String), httpOnly: true, ...shared })
    expect(csrf).toEqual({ name: 'pulse_csrf', value: csrfTokenOf(session!.value!), ...shared })
    const cleared = { value: '', path: '/', maxAge: 0, sameSite: 'lax', ...secure }
    expect(sessions.clearCookies(caller).map((text) => parseSetCookie(text))).toEqual([
      { name: 'pulse_session', httpOnly: true, ...cleared },
      { name: 'pulse_csrf', ...cleared },
    ])
  })
})

describe('[design] sessions end', () => {
  test('after 24 hours without use', async () => {
    const [used, unused] = [await signIn(), await signIn()]
    await ground.clock.advance(DAY_MS - 1)
    expect(sessions.find(used)).toBeDefined()
    await ground.clock.advance(1)
    expect(sessions.find(unused)).toBeUndefined()
    expect(sessions.find(used)).toBeDefined()
  })

  test('after 30 days, however much they are used', async () => {
    const token = await signIn()
    for (let hour = 0; hour < 30 * 24 - 1; hour += 12) {
      expect(sessions.find(token)).toBeDefined()
      await ground.clock.advance(12 * HOUR_MS)
    }
    expect(sessions.find(token)).toBeUndefined()
  })

  test('[S3] when a user ends them, now and after a restart', async () => {
    const [a, b] = [await signIn(), await signIn()]
    const hash = sessions.find(a)!.token_hash
    await sessions.end(hash)
    expect([sessions.find(a), sessions.isLive(hash), endings]).toEqual([undefined, false, 1])
    sessions = await started()
    expect([sessions.find(a), sessions.find(b)]).toEqual([undefined, expect.anything()])
    await sessions.end('unknown')
  })

  test('[S3] with their user', async () => {
    const [a, b] = [await signIn('anna'), await signIn('bert')]
    sessions.forgetUser('anna')
    expect([sessions.find(a), sessions.find(b), endings]).toEqual([undefined, expect.anything(), 1])
  })

  test('[R18] and go from the file within the hour', async () => {
    await signIn()
    await ground.clock.advance(DAY_MS + HOUR_MS)
    await expect.poll(rows).toEqual([])
  })

  test('[R18] beyond 50 of one user: the one that was not used for longest', async () => {
    const tokens: string[] = []
    for (let i = 0; i < 50; i++) {
      tokens.push(await signIn())
      await ground.clock.advance(MINUTE_MS)
    }
    expect(sessions.find(tokens[0]!)).toBeDefined()
    const more = await signIn()
    expect(tokens.filter((token) => !sessions.find(token))).toEqual([tokens[1]])
    expect([sessions.find(more), (await rows()).length]).toEqual([expect.anything(), 50])
    expect(sessions.find(await signIn('bert'))).toBeDefined()
  })

  test('[R18] also when all 50 and their use fall into ten minutes, and after a restart', async () => {
    const tokens: string[] = []
    for (let i = 0; i < 50; i++) tokens.push(await signIn())
    for (const token of tokens.slice(0, 10)) sessions.find(token)
    const more = await signIn()
    expect(tokens.filter((token) => !sessions.find(token))).toEqual([tokens[10]])
    sessions.find(more)
    await ground.clock.advance(10 * MINUTE_MS)
    for (const token of tokens.slice(0, 10)) sessions.find(token)
    await expect
      .poll(async () => (await rows()).filter((row) => row.last_seen_at === ground.clock.now()).length)
      .toBe(10)
    sessions = await started()
    for (let i = 0; i < 40; i++) await signIn()
    expect(tokens.filter((token) => sessions.find(token))).toEqual(tokens.slice(0, 10))
  })

  test('[R18] also when 80 sign in at once', async () => {
    await Promise.all(Array.from({ length: 80 }, () => signIn()))
    expect(await rows()).toHaveLength(50)
  })
})

describe('[R20] the clock steps', () => {
  const steps = [MINUTE_MS, HOUR_MS, -HOUR_MS, 3 * DAY_MS, -3 * DAY_MS]

  test.each(steps)('by %d ms: everybody stays signed in', async (step) => {
    const token = await signIn()
    ground.clock.step(step)
    expect(sessions.find(token)).toBeDefined()
    await ground.clock.advance(2 * HOUR_MS)
    expect(sessions.find(token)).toBeDefined()
  })

  test.each(steps)(
    'by %d ms: what is not used ends after 24 hours, and so does an open socket',
    async (step) => {
      const token = await signIn()
      const hash = sessions.find(token)!.token_hash
      ground.clock.step(step)
      await ground.clock.advance(DAY_MS - 1)
      expect(sessions.isLive(hash)).toBe(true)
      await ground.clock.advance(1)
      expect([sessions.isLive(hash), sessions.find(token)]).toEqual([false, undefined])
    },
  )

  test.each(steps)('by %d ms: what is used ends after 30 days, or when its date has come', async (step) => {
    const token = await signIn()
    ground.clock.step(step)
    const days = Math.min(30, 30 - step / DAY_MS)
    for (let half = 1; half < days * 2; half++) {
      expect(sessions.find(token)).toBeDefined()
      await ground.clock.advance(DAY_MS / 2)
    }
    await ground.clock.advance(DAY_MS / 2)
    expect(sessions.find(token)).toBeUndefined()
  })

  test.each(steps)('by %d ms, and a restart: who is signed in stays so, and not for ever', async (step) => {
    const token = await signIn()
    ground.clock.step(step)
    sessions.find(token)
    await ground.clock.advance(10 * MINUTE_MS)
    sessions.find(token)
    await expect.poll(async () => (await rows())[0]?.last_seen_at).toBe(ground.clock.now())
    sessions = await started()
    expect(sessions.find(token)).toBeDefined()
    await ground.clock.advance(DAY_MS)
    expect(sessions.find(token)).toBeUndefined()
  })

  test('[R20] the machine sleeps for a day: the session is idle for a day', async () => {
    const token = await signIn()
    ground.clock.suspend(DAY_MS)
    expect(sessions.find(token)).toBeUndefined()
  })

  test('after a restart a session of the far future is none', async () => {
    const token = await signIn()
    ground.clock.step(-365 * DAY_MS)
    expect(sessions.find(token)).toBeDefined()
    sessions = await started()
    expect(sessions.find(token)).toBeUndefined()
  })
})

test('an open socket keeps its session in use, and writes at most every ten minutes', async () => {
  const token = await signIn()
  const hash = sessions.find(token)!.token_hash
  for (let hour = 0; hour < 48; hour++) {
    await ground.clock.advance(HOUR_MS)
    sessions.touch(hash)
  }
  expect(sessions.isLive(hash)).toBe(true)
  const seen = ground.clock.now()
  await ground.clock.advance(9 * MINUTE_MS)
  sessions.touch(hash)
  sessions.touch('unknown')
  await expect.poll(async () => (await rows())[0]).toMatchObject({ last_seen_at: seen })
})

test('[R10] on a full disk users can sign in; the session ends with the process', async () => {
  const full = () => Promise.reject(new DatabaseError('database or disk is full', 'disk-full'))
  const store = { ...sessionStore(ground.db), insert: full }
  const own = createSessions({ ...ground, store, onEnded: () => {} })
  const [cookie] = await own.create('anna', 'session', aCaller())
  const token = parseSetCookie(cookie!).value!
  expect(own.find(token)).toMatchObject({ user_id: 'anna' })
  await own.end(own.find(token)!.token_hash)
  expect(own.find(token)).toBeUndefined()
  sessions = await started()
  expect(sessions.find(token)).toBeUndefined()
})

test('[S3] a session that ends on a full disk is removed from the file when there is room again', async () => {
  let isFull = true
  const stored = sessionStore(ground.db)
  const full = () => Promise.reject(new DatabaseError('database or disk is full', 'disk-full'))
  const store: typeof stored = { ...stored, remove: (hashes) => (isFull ? full() : stored.remove(hashes)) }
  const own = createSessions({ ...ground, store, onEnded: () => {} })
  await own.start()
  const [cookie] = await own.create('anna', 'session', aCaller())
  const token = parseSetCookie(cookie!).value!
  await expect(own.end(own.find(token)!.token_hash)).rejects.toThrow('full')
  expect(own.find(token)).toBeUndefined()
  isFull = false
  await ground.clock.advance(HOUR_MS)
  await expect.poll(rows).toEqual([])
  own.stop()
})
