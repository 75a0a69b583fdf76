import { type FakeClock, fakeClock } from '@pulse/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../app-error.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './fixtures.ts'
import { createRateLimit, type RateKind, type RateLimit } from './rate-limit.ts'

let clock: FakeClock
let limit: RateLimit

beforeEach(() => {
  clock = fakeClock()
  limit = createRateLimit(clock)
})

/** How many of the calls are accepted. */
function passed(calls: number, kind: RateKind = 'auth', client = '192.0.2.7'): number {
  let count = 0
  for (let i = 0; i < calls; i++) {
    if (refusal(kind, client) === undefined) count++
  }
  return count
}

function refusal(kind: RateKind, client = '192.0.2.7'): AppError | undefined {
  try {
    limit.take(kind, client)
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

describe('[facts/platform 3.4] calls a minute from one client', () => {
  test.each([
    ['auth', 10],
    ['config', 30],
    ['general', 500],
    ['read', 1000],
    ['public', 1000],
    ['download', 60],
    ['socket', 120],
    ['password', 10],
  ] as const)('%s: %d', (kind, most) => {
    expect(passed(most + 5, kind)).toBe(most)
    expect(passed(5, kind, '192.0.2.8')).toBe(5)
  })

  test('what is exempt is never counted', () => expect(passed(5000, 'exempt')).toBe(5000))

  test('classes are counted apart', () => {
    expect(passed(20, 'auth')).toBe(10)
    expect(passed(20, 'config')).toBe(20)
  })

  test('the answer says when to come again', async () => {
    await clock.advance(500)
    const first = clock.now()
    passed(10)
    await clock.advance(18_400)
    expect(refusal('auth')).toMatchObject({
      code: 'rate_limit',
      statusCode: 429,
      message: 'Too many requests. Please wait a moment and try again.',
      headers: {
        'retry-after': '42',
        'x-ratelimit-limit': '10',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': new Date(first + MINUTE_MS).toISOString(),
      },
    })
  })

  test('the window slides: each call is free again a minute after it was made', async () => {
    for (let i = 0; i < 10; i++) {
      expect(passed(1)).toBe(1)
      await clock.advance(1000)
    }
    expect(passed(1)).toBe(0)
    await clock.advance(50_000)
    expect(passed(5)).toBe(1)
    await clock.advance(3000)
    expect(passed(5)).toBe(3)
  })

  test('refused calls do not keep a client out', async () => {
    passed(10)
    for (let i = 0; i < 60; i++) {
      passed(100)
      await clock.advance(1000)
    }
    expect(passed(20)).toBe(10)
  })

  test('a good sign-in is refunded, and no more than was taken', () => {
    for (let i = 0; i < 50; i++) {
      expect(passed(1)).toBe(1)
      limit.refund('auth', '192.0.2.7')
    }
    for (let i = 0; i < 50; i++) limit.refund('auth', '192.0.2.7')
    expect(passed(20)).toBe(10)
  })
})

describe('[S5] one client', () => {
  test('is every address of one IPv6 host', () => {
    for (let i = 0; i < 10; i++) limit.take('auth', `2001:db8:1:2::${i}`)
    expect(refusal('auth', '2001:0db8:0001:0002:ffff::9')).toBeDefined()
    expect(refusal('auth', '2001:db8:1:3::1')).toBeUndefined()
    limit.refund('auth', '2001:db8:1:2::abcd')
    expect(refusal('auth', '2001:db8:1:2::1')).toBeUndefined()
  })

  test.each([HOUR_MS, -HOUR_MS, 3 * DAY_MS, -3 * DAY_MS])(
    '[R20] is neither kept out nor let in by a clock that steps by %d ms',
    async (step) => {
      passed(10)
      clock.step(step)
      expect(passed(20)).toBe(0)
      expect(refusal('auth')?.headers['retry-after']).toBe('60')
      await clock.advance(MINUTE_MS)
      expect(passed(20)).toBe(10)
    },
  )
})

test('[R18] 20,000 counters are kept: the one that was silent for longest goes, the busy one stays', () => {
  passed(10, 'auth', 'silent')
  passed(10)
  for (let i = 0; i < 20_000; i++) {
    limit.take('public', `10.0.${i >> 8}.${i & 255}`)
    if (i % 5000 === 0) expect(passed(1)).toBe(0)
  }
  expect([passed(1), passed(1, 'auth', 'silent')]).toEqual([0, 1])
})
