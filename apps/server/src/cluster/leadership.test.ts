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
  beforeEach(() => {
    clock = fakeClock()
    ;[faults, deposed, claims, leads] = [[], [], 0, 0]
    ;[holder, isUp, otherLeads] = [undefined, true, false]
    const begin = () =>
      isUp ? Promise.resolve(true) : Promise.reject(new Error('the server does not answer'))
    leadership = seekLeadership({
      leases: {
        async claim() {
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
      onLead: async () => void leads++,
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
