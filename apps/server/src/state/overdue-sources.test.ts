import { aGuest, aMeta, fakeClock } from '@pulse/testkit'
import { beforeEach, expect, test } from 'vitest'
import { createState, type State } from './state.ts'

let clock: ReturnType<typeof fakeClock>
let state: State
beforeEach(() => {
  clock = fakeClock()
  state = createState(aMeta(), undefined, clock)
})

const say = (source: string, promiseMs?: number) =>
  state.observe({
    source,
    records: { guests: new Map([[source, aGuest({ source })]]) },
    state: { name: source, kind: 'pve', health: 'healthy', lastSeen: 1 },
    ...(promiseMs !== undefined && { promiseMs }),
  })
const health = (source: string) => state.tables.sources.get(source)?.health

test('a source is overdue when its promise ends, each at its own moment, and no longer with the next', async () => {
  say('slow', 30_000)
  say('quick', 10_000)
  say('never asked')
  await clock.advance(10_001)
  expect(['slow', 'quick', 'never asked'].map(health)).toEqual(['healthy', 'error', 'healthy'])
  expect(state.tables.guests.get('quick')).toMatchObject({ staleSince: 1 })
  say('quick')
  expect(health('quick')).toBe('error')
  say('quick', 60_000)
  expect(health('quick')).toBe('healthy')
  await clock.advance(20_000)
  expect(['slow', 'quick'].map(health)).toEqual(['error', 'healthy'])
})

test('one that keeps its promise is never overdue, and needs no timer of its own', async () => {
  for (let n = 0; n < 20; n++) {
    say('one', 15_000)
    say('two', 15_000)
    await clock.advance(10_000)
    expect(clock.pending()).toBe(1)
  }
  expect([health('one'), health('two')]).toEqual(['healthy', 'healthy'])
})

test('a forgotten source is no longer expected', async () => {
  say('one', 10_000)
  state.forget('one')
  await clock.advance(20_000)
  expect(state.tables.sources.size).toBe(0)
})

for (const [what, pass] of [
  ['stood still', 'suspend'],
  ['slept', 'sleep'],
] as const)
  test(`[R20] while the machine ${what} no source could keep its promise: those that then do not answer are overdue`, async () => {
    say('answers', 15_000)
    say('silent', 15_000)
    await clock.advance(10_000)
    clock[pass](300_000)
    await clock.advance(0)
    say('answers', 15_000)
    await clock.advance(4_000)
    expect(health('silent')).toBe('healthy')
    await clock.advance(14_000)
    say('answers', 15_000)
    expect(['answers', 'silent'].map(health)).toEqual(['healthy', 'error'])
  })

test.each([0, 5_000, 9_000])(
  '[R20] a suspension that lasts %i ms longer than a promise does not break it',
  async (ms) => {
    say('answers', 15_000)
    say('silent', 45_000)
    clock.suspend(45_000 + ms)
    await clock.advance(4_000)
    expect(['answers', 'silent'].map(health)).toEqual(['healthy', 'healthy'])
    say('answers', 60_000)
    await clock.advance(46_000)
    expect(['answers', 'silent'].map(health)).toEqual(['healthy', 'error'])
  },
)

test('a promise that had ended before it came prolongs no other', async () => {
  say('other', 8_000)
  say('ended', -20_000)
  await clock.advance(8_001)
  expect(['other', 'ended'].map(health)).toEqual(['error', 'error'])
})
