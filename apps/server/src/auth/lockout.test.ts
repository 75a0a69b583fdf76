import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { signInAttemptStore } from '../db/sign-in-attempts.ts'
import { aGround, DAY_MS, type Ground, HOUR_MS, MINUTE_MS, scale } from './fixtures.ts'
import { createLockout, type Lockout } from './lockout.ts'

let ground: Ground
let lockout: Lockout
let verified: number

beforeAll(async () => {
  ground = await aGround()
})
beforeEach(async () => {
  await ground.clear()
  lockout = await opened()
  verified = 0
})
afterAll(() => ground.end())

async function opened() {
  const lockout = createLockout(signInAttemptStore(ground.db), ground.clock)
  await lockout.start()
  return lockout
}

const wrong = () => Promise.resolve(void verified++)
const right = () => Promise.resolve(`verified ${++verified}`)
const guess = (account = 'admin', client = '192.0.2.7') => lockout.attempt(account, client, wrong)
async function guesses(count: number, account?: string, client?: string) {
  for (let i = 0; i < count; i++) await guess(account, client)
}
const outcomeOf = async (verify: () => Promise<unknown>) =>
  (await lockout.attempt('admin', '192.0.2.7', verify)).outcome

describe('[S5] five failures lock the account for this client', () => {
  test('each failure is reported, the fifth with the end of the lock', async () => {
    const until = ground.clock.now() + 15 * MINUTE_MS
    for (const failures of [1, 2, 3, 4]) {
      expect(await guess()).toEqual({ outcome: 'failed', failures, lockedUntil: undefined })
    }
    expect(await guess()).toEqual({ outcome: 'failed', failures: 5, lockedUntil: until })
    expect(await guess()).toEqual({ outcome: 'locked', until })
    expect(await outcomeOf(right)).toBe('locked')
    expect(verified).toBe(5)
  })

  test('however many guesses one after another are five verifications', async () => {
    await guesses(1000 * scale)
    expect(verified).toBe(5)
  })

  test('100 guesses at once are five verifications', async () => {
    const outcomes = (await Promise.all(Array.from({ length: 100 }, () => guess()))).map((a) => a.outcome)
    expect(verified).toBe(5)
    expect(new Set(outcomes)).toEqual(new Set(['failed', 'locked', 'busy']))
  })

  test.each([['Admin'], [' admin'], ['ａｄｍｉｎ'], ['ad\u200bmin'], ['ADMIN\u0000']])(
    'the spelling "%s" shares the counter',
    async (spelling) => {
      await guesses(3)
      expect(await guess(spelling)).toMatchObject({ failures: 4 })
    },
  )

  test('so do the addresses of one IPv6 host', async () => {
    for (let i = 1; i <= 20; i++) await guess('admin', `2001:db8:1:2::${i}`)
    expect(verified).toBe(5)
    expect(await guess('admin', '2001:db8:1:3::1')).toMatchObject({ failures: 1 })
  })

  test('a neighbour who guesses locks out himself, not the owner', async () => {
    await guesses(9, 'admin', '198.51.100.1')
    expect(await outcomeOf(right)).toBe('passed')
  })

  test('another account of the same client is not locked', async () => {
    await guesses(5)
    expect(await lockout.attempt('anna', '192.0.2.7', right)).toMatchObject({ outcome: 'passed' })
  })

  test('a good sign-in ends the count', async () => {
    await guesses(4)
    expect(await outcomeOf(right)).toBe('passed')
    expect(await guess()).toMatchObject({ failures: 1 })
  })

  test('that of a program forgives nothing: guesses beside it add up', async () => {
    for (let n = 0; n < 4; n++) {
      await guess()
      expect(await lockout.attempt('admin', '192.0.2.7', right, false)).toMatchObject({ outcome: 'passed' })
    }
    expect(await guess()).toMatchObject({ failures: 5 })
    expect(await lockout.attempt('admin', '192.0.2.7', right, false)).toMatchObject({ outcome: 'locked' })
  })

  test('a verification that throws does not count and delays no other', async () => {
    const broken = () => Promise.reject(new Error('no memory'))
    for (let i = 0; i < 30; i++) await expect(lockout.attempt('admin', '192.0.2.7', broken)).rejects.toThrow()
    expect(await guess()).toMatchObject({ failures: 1 })
  })
})

describe('[S5] counters end', () => {
  test('[facts/platform 3.3] a lock ends after 15 minutes, and the count begins at nought', async () => {
    await guesses(5)
    await ground.clock.advance(15 * MINUTE_MS - 1)
    expect(await outcomeOf(right)).toBe('locked')
    await ground.clock.advance(1)
    expect(await guess()).toMatchObject({ outcome: 'failed', failures: 1 })
  })

  test('failures are forgotten 15 minutes after the last of them', async () => {
    await guesses(4)
    await ground.clock.advance(15 * MINUTE_MS - 1)
    expect(await guess()).toMatchObject({ failures: 5 })
    await ground.clock.advance(15 * MINUTE_MS)
    await guesses(4)
    await ground.clock.advance(15 * MINUTE_MS)
    expect(await guess()).toMatchObject({ failures: 1 })
  })

  test('[R18] and are removed with what is counted next; who signed in within 30 days is known', async () => {
    const left = async () => (await signInAttemptStore(ground.db).all()).map(({ account }) => account)
    await lockout.attempt('anna', '192.0.2.7', right)
    for (let n = 0; n < 50; n++) await guess(`stranger-${n}`)
    await ground.clock.advance(15 * MINUTE_MS)
    await guess()
    expect(await left()).toEqual(['admin', 'anna'])
    await ground.clock.advance(30 * DAY_MS)
    await guess('bert')
    expect(await left()).toEqual(['bert'])
  })

  test('guesses while locked do not make the lock longer', async () => {
    await guesses(5)
    for (let minute = 1; minute < 15; minute++) {
      await ground.clock.advance(MINUTE_MS)
      await guesses(3)
    }
    await ground.clock.advance(MINUTE_MS)
    expect(await outcomeOf(right)).toBe('passed')
  })

  test('a restart changes nothing', async () => {
    await guesses(3)
    await ground.reopen()
    lockout = await opened()
    expect(await guess()).toMatchObject({ failures: 4 })
    await guess()
    await ground.reopen()
    lockout = await opened()
    expect(await outcomeOf(right)).toBe('locked')
    await ground.clock.advance(15 * MINUTE_MS)
    expect(await outcomeOf(right)).toBe('passed')
  })

  const steps = [HOUR_MS, -HOUR_MS, 3 * DAY_MS, -3 * DAY_MS, 5 * MINUTE_MS, -5 * MINUTE_MS]

  test.each(steps)('[R20] the clock steps by %d ms: a lock ends when 15 minutes are over', async (step) => {
    await guesses(5)
    ground.clock.step(step)
    await guesses(20)
    expect(verified).toBe(5)
    expect(await guess()).toEqual({ outcome: 'locked', until: ground.clock.now() + 15 * MINUTE_MS })
    await ground.clock.advance(15 * MINUTE_MS - 1)
    expect(await outcomeOf(right)).toBe('locked')
    await ground.clock.advance(1)
    expect(await outcomeOf(right)).toBe('passed')
  })

  test.each(steps)('[R20] by %d ms: failures count for 15 minutes', async (step) => {
    await guesses(3)
    ground.clock.step(step)
    await ground.clock.advance(15 * MINUTE_MS - 1)
    expect(await guess()).toMatchObject({ failures: 4 })
    await ground.clock.advance(15 * MINUTE_MS)
    expect(await guess()).toMatchObject({ failures: 1 })
  })

  test.each(steps)('[R20] by %d ms, and a restart: no lock for more than 15 minutes', async (step) => {
    await guesses(5)
    ground.clock.step(step)
    lockout = await opened()
    await guesses(20)
    expect(verified).toBe(step < 15 * MINUTE_MS ? 5 : 10)
    await ground.clock.advance(15 * MINUTE_MS)
    expect(await outcomeOf(right)).toBe('passed')
  })

  test('[R20] a clock that is set back and forth allows no more guesses', async () => {
    for (let i = 0; i < 6; i++) {
      ground.clock.step(i % 2 === 0 ? HOUR_MS : -HOUR_MS)
      await guesses(20)
    }
    expect(verified).toBe(5)
  })
})

describe('[facts/platform 3.3] an administrator clears counters', () => {
  test.each(['admin', ' ADMIN ', '192.0.2.7'])('by "%s"', async (identifier) => {
    await guesses(5)
    await guesses(5, 'other', '198.51.100.1')
    expect(await lockout.reset(identifier)).toBe(1)
    expect(await lockout.reset(identifier)).toBe(0)
    expect(await guess()).toMatchObject({ failures: 1 })
    expect(await guess('other', '198.51.100.1')).toMatchObject({ outcome: 'locked' })
  })

  test('by an address of the same IPv6 host, and for good', async () => {
    await guesses(5, 'admin', '2001:db8::1')
    expect(await lockout.reset('2001:db8::ffff')).toBe(1)
    lockout = await opened()
    expect(await guess('admin', '2001:db8::1')).toMatchObject({ failures: 1 })
  })

  test('a name without failures', async () => expect(await lockout.reset('unknown')).toBe(0))
})
