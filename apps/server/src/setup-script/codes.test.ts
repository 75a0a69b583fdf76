import { beforeEach, describe, expect, test } from 'vitest'
import { steppedClock } from '../testing/people.ts'
import { codeLifeMs, createSetupCodes, type Grant, graceMs, type SetupCodes } from './codes.ts'
import { someValues } from './fixtures.ts'

const grant: Grant = { values: someValues(), by: { id: 'user:1', name: 'anna', method: 'session' } }
const { type, host } = grant.values

let clock: ReturnType<typeof steppedClock>
let codes: SetupCodes
beforeEach(() => {
  clock = steppedClock()
  codes = createSetupCodes(clock, () => false)
})

function claim(code: string, given: Partial<Grant['values']> = {}) {
  const claimed = codes.claim(code, { type, host, ...given })
  if ('follows' in claimed) throw new Error('the code has been used')
  return claimed
}

describe('[platform 10.2] a setup code', () => {
  test('has 128 bits and lives five minutes', () => {
    const { code, expiresAt } = codes.issue(grant)
    expect(code).toMatch(/^[0-9a-f]{32}$/)
    expect(expiresAt - clock.now()).toBeLessThanOrEqual(5 * 60_000)
    expect(codes.issue(grant).code).not.toBe(code)
  })

  test.each([3_600_000, -3_600_000, 3 * 86_400_000])(
    '[R20] lives five minutes when the wall clock is set by %i ms',
    (step) => {
      const { code } = codes.issue(grant)
      clock.step(step)
      expect(() => codes.look(code)).not.toThrow()
      clock.pass(codeLifeMs + graceMs)
      expect(() => codes.look(code)).toThrow('has expired')
    },
  )

  test('registers once', () => {
    const { code } = codes.issue(grant)
    claim(code).done('pve-1')
    expect(() => codes.claim(code, { type, host })).toThrow('already been used')
    expect(() => codes.look(code)).toThrow('already been used')
  })

  test('of 100 at the same time one has it', () => {
    const { code } = codes.issue(grant)
    const won = Array.from({ length: 100 }).filter(() => {
      try {
        return claim(code)
      } catch {
        return false
      }
    })
    expect(won).toHaveLength(1)
  })

  test('may try again after a registration that failed', () => {
    const { code } = codes.issue(grant)
    claim(code).release()
    claim(code).done('pve-1')
  })

  test.each([
    { what: 'another host', given: { host: 'https://192.0.2.11:8006' }, says: 'made for another host' },
    { what: 'another type', given: { type: 'pbs' } as const, says: 'made for PVE, not for PBS' },
  ])('is not valid for $what, and stays valid for its own', ({ given, says }) => {
    const { code } = codes.issue(grant)
    expect(() => claim(code, given)).toThrow(says)
    claim(code).done('pve-1')
  })

  test('is refused when it has expired, and known for that for a while', () => {
    const { code } = codes.issue(grant)
    clock.pass(codeLifeMs)
    expect(() => codes.look(code)).toThrow('expired')
    expect(() => claim(code)).toThrow('expired')
  })

  test('whose script was fetched in the last moment may end its work, and no more', () => {
    const { code } = codes.issue(grant)
    clock.pass(codeLifeMs - 1_000)
    codes.look(code)
    clock.pass(graceMs - 2_000)
    codes.look(code)
    expect(claim(code).release()).toBeUndefined()
    clock.pass(2_000)
    expect(() => claim(code)).toThrow('expired')
  })

  test('that was never issued is refused', () => {
    expect(() => codes.look('0'.repeat(32))).toThrow('Unknown setup code')
    expect(() => claim('')).toThrow('Unknown setup code')
  })

  test('[platform 16.28] lets another address follow for a moment: the area looks whether it is a member', () => {
    const { code } = codes.issue(grant)
    claim(code).done('pve-1')
    const member = { type, host: 'https://192.0.2.11:8006' }
    expect(codes.claim(code, member)).toMatchObject({ follows: 'pve-1' })
    clock.pass(graceMs)
    expect(() => codes.claim(code, member)).toThrow('already been used')
  })

  test('is forgotten when too many were issued: memory has an end', () => {
    const first = codes.issue(grant).code
    for (let n = 0; n < 500; n++) codes.issue(grant)
    expect(() => codes.look(first)).toThrow('Unknown setup code')
  })
})
