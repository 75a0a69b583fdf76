import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { signInAttemptStore } from '../db/sign-in-attempts.ts'
import { aGround, DAY_MS, type Ground, MINUTE_MS } from './fixtures.ts'
import { type Attempt, createLockout, type Lockout } from './lockout.ts'

let ground: Ground
let lockout: Lockout
let verified: number

beforeAll(async () => {
  ground = await aGround()
})
beforeEach(async () => {
  await ground.clear()
  lockout = createLockout(signInAttemptStore(ground.db), ground.clock)
  verified = 0
})
afterAll(() => ground.end())

/** Each client is in a different network, so no single attacker owns them all. */
const client = (n: number) => `2001:db8:${(n >> 8).toString(16)}:${(n & 255).toString(16)}::1`
const wrong = () => Promise.resolve(void verified++)
const right = () => Promise.resolve(`verified ${++verified}`)

/** Queries run in order, so earlier queries have been answered when this one resolves. */
const databaseAnswers = () => ground.maintenance.run([{ sql: 'SELECT 1', parameters: [] }])

/** Waits for all attempts. The clock advances only while an attempt waits for it. */
async function finished(attempts: readonly Promise<Attempt<unknown>>[]): Promise<string[]> {
  const crowd = { isDone: false }
  const all = Promise.all(attempts).finally(() => (crowd.isDone = true))
  while (!crowd.isDone) {
    if (ground.clock.pending() > 0) await ground.clock.advance(2000)
    else await databaseAnswers()
  }
  return (await all).map((attempt) => attempt.outcome)
}

const guessFrom = (from: number, count: number, account = 'admin') =>
  Array.from({ length: count }, (_, n) => lockout.attempt(account, client(from + n), wrong))
const count = (outcomes: string[], outcome: string) => outcomes.filter((one) => one === outcome).length

describe('[S5] a guesser with many addresses', () => {
  test('1,000 at once: ten get in, twenty wait for their turn, the rest are sent away', async () => {
    const before = ground.clock.now()
    const outcomes = await finished(guessFrom(0, 1000))
    expect([verified, count(outcomes, 'busy')]).toEqual([30, 970])
    expect(ground.clock.now() - before).toBeGreaterThanOrEqual(20 * 2000)
  })

  test('for a quarter of an hour: one guess in two seconds', async () => {
    const until = ground.clock.now() + 15 * MINUTE_MS
    for (let round = 0; ground.clock.now() < until; round++) await finished(guessFrom(round * 100, 100))
    expect(verified).toBeLessThanOrEqual(10 + 20 + (15 * 60) / 2)
  })

  test('the owner on a device that signed in before is not slowed down', async () => {
    await lockout.attempt('admin', '192.0.2.7', right)
    await finished(guessFrom(0, 100))
    const crowd = guessFrom(100, 100)
    expect(await lockout.attempt('admin', '192.0.2.7', right)).toMatchObject({ outcome: 'passed' })
    await finished(crowd)
  })

  test('on a new device the owner waits, and gets in', async () => {
    await finished(guessFrom(0, 100))
    const before = ground.clock.now()
    expect(await finished([lockout.attempt('admin', '192.0.2.7', right)])).toEqual(['passed'])
    expect(ground.clock.now() - before).toBe(2000)
  })

  test('a device counts as known for 30 days', async () => {
    await lockout.attempt('admin', '192.0.2.7', right)
    await ground.clock.advance(30 * DAY_MS)
    await finished(guessFrom(0, 100))
    const before = ground.clock.now()
    await finished([lockout.attempt('admin', '192.0.2.7', right)])
    expect(ground.clock.now() - before).toBe(2000)
  })

  test('other accounts do not notice', async () => {
    const crowd = guessFrom(0, 100)
    expect(await lockout.attempt('anna', '192.0.2.7', right)).toMatchObject({ outcome: 'passed' })
    await finished(crowd)
  })

  test('the account is at its old pace 15 minutes after the last guess', async () => {
    await finished(guessFrom(0, 100))
    await ground.clock.advance(15 * MINUTE_MS)
    const before = ground.clock.now()
    expect(await finished([lockout.attempt('admin', '192.0.2.7', right)])).toEqual(['passed'])
    expect(ground.clock.now()).toBe(before)
  })
})

describe('[R18] counters are bounded', () => {
  /** Fills the counters beyond their limit, like a long attack. */
  async function crowded() {
    await lockout.attempt('admin', '192.0.2.7', right)
    await ground.clock.advance(MINUTE_MS)
    const now = ground.clock.now()
    const rows = Array.from({ length: 10_000 }, (_, n) => ({
      account: `guessed ${n}`,
      client: `${client(n).slice(0, -1)}/64`,
      failures: 5,
      last_failure_at: now + n,
      locked_until: now + n + 15 * MINUTE_MS,
      last_success_at: null,
    }))
    const many = Array.from({ length: rows.length / 1000 }, (_, n) => rows.slice(n * 1000, (n + 1) * 1000))
    await ground.db.transaction(
      many.map((values) => ground.db.query.insertInto('sign_in_attempts').values(values).compile()),
    )
    await lockout.start()
    await ground.clock.advance(10_000)
    await lockout.attempt('one more', '198.51.100.1', wrong)
    return signInAttemptStore(ground.db).all()
  }

  test('at 10,000 the oldest tenth goes, in memory as in the file', async () => {
    const rows = await crowded()
    expect(rows).toHaveLength(9000)
    const kept = new Set(rows.map((row) => row.account))
    expect([kept.has('guessed 9999'), kept.has('one more'), kept.has('guessed 0')]).toEqual([
      true,
      true,
      false,
    ])
    expect(await lockout.attempt('guessed 9999', client(9999), wrong)).toMatchObject({ outcome: 'locked' })
  })

  test('[S5] guesses do not push out the devices that have signed in', async () => {
    await crowded()
    await finished(guessFrom(20_000, 50))
    const before = ground.clock.now()
    expect(await lockout.attempt('admin', '192.0.2.7', right)).toMatchObject({ outcome: 'passed' })
    expect(ground.clock.now()).toBe(before)
  })
})
