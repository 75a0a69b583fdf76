import { fakeClock } from '@pulse/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Leadership, seekLeadership } from './leadership.ts'

describe('a lead', () => {
  let clock: ReturnType<typeof fakeClock>
  let faults: unknown[]
  /** the holder of the lease: this process or another one */
  let holder: 'own' | 'other' | undefined
  let claims: number
  let isUp: boolean
  let otherLeads: boolean
  let leads: number
  let deposed: string[]
  let leadership: Leadership
  /** of the process that led last, as the database has it */
  let stored: string
  let isLost: () => void
  let fences: string[]
  beforeEach(() => {
    clock = fakeClock()
    ;[faults, deposed, claims, leads] = [[], [], 0, 0]
    ;[holder, isUp, otherLeads] = [undefined, true, false]
    ;[stored, fences] = ['0', []]
    async function begin(fence = '', over?: string) {
      if (!isUp) throw new Error('the server does not answer')
      if (fence <= stored && over !== stored) return { newer: stored }
      stored = fence > stored ? fence : `${stored}+`
      return { fence: stored }
    }
    leadership = seekLeadership({
      leases: {
        async claim(_name, onLost) {
          isLost = () => onLost(true)
          if (holder !== undefined) return undefined
          holder = 'own'
          return {
            fence: String(++claims),
            isHeld: () => holder === 'own',
            release: async () => void (holder = undefined),
          }
        },
      },
      database: { confirmedAt: -Infinity, begin, confirm: begin },
      clock,
      canOtherLead: async () => otherLeads,
      onLead: async (fence) => {
        leads++
        fences.push(fence)
      },
      onDeposed: (why) => void deposed.push(why),
      onFault: (error) => void faults.push(error),
    })
  })
  afterEach(() => leadership.stop())

  test('that the database could not confirm is tried again', async () => {
    isUp = false
    await clock.advance(2_000)
    expect([faults.length, holder, leads]).toEqual([1, undefined, 0])
    isUp = true
    await clock.advance(1_000)
    expect([holder, leads, leadership.isLeading]).toEqual(['own', 1, true])
  })

  test('of servers restored from an older copy begins when its lease has been renewed for ten seconds', async () => {
    stored = '9'
    await clock.advance(9_000)
    expect([holder, claims, leads]).toEqual(['own', 1, 0])
    await clock.advance(3_000)
    expect([leads, fences, leadership.isLeading]).toEqual([1, ['9+'], true])
    expect(String(faults)).toContain('older copy')
  })

  test('with such a lease does not begin if another process has begun, or has the lease', async () => {
    stored = '8'
    await clock.advance(5_000)
    ;[stored, holder] = ['9', 'other']
    isLost()
    await clock.advance(20_000)
    expect([leads, deposed]).toEqual([0, []])
    holder = undefined
    await clock.advance(5_000)
    expect([holder, leads]).toEqual(['own', 0])
    stored = '91'
    await clock.advance(8_000)
    expect(leads).toBe(0)
    await clock.advance(12_000)
    expect([leads, fences]).toEqual([1, ['91+']])
  })

  test('goes to another process that the database answers, when it has not answered this one for 15 s', async () => {
    await clock.advance(4_000)
    ;[isUp, otherLeads] = [false, true]
    await clock.advance(12_000)
    expect([holder, leadership.mayAct()]).toEqual(['own', true])
    await clock.advance(6_000)
    expect([holder, leadership.mayAct(), deposed]).toEqual([undefined, false, []])
    holder = 'other'
    await clock.advance(10_000)
    expect(deposed).toEqual(['another process has taken the lead'])
  })

  test('stays where it is while the database answers none', async () => {
    await clock.advance(1_000)
    isUp = false
    await clock.advance(600_000)
    expect([holder, claims, leadership.mayAct(), deposed]).toEqual(['own', 1, true, []])
  })

  test('that no other process has taken is claimed again, and begins when the database answers', async () => {
    await clock.advance(4_000)
    ;[isUp, otherLeads] = [false, true]
    await clock.advance(20_000)
    expect([holder, leadership.mayAct()]).toEqual([undefined, false])
    ;[isUp, otherLeads] = [true, false]
    await clock.advance(12_000)
    expect([holder, leadership.mayAct(), leads, deposed]).toEqual(['own', true, 1, []])
  })
})
