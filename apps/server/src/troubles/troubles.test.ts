import { type FakeClock, fakeClock } from '@pulse/testkit'
import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { createTroubles, type Troubles } from './troubles.ts'

const MINUTE_MS = 60_000
let clock: FakeClock
let lines: string[]
let troubles: Troubles

beforeEach(() => {
  clock = fakeClock()
  lines = []
  troubles = createTroubles(
    clock,
    pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
  )
})

test('a lasting problem is current until it ends, and listed for another hour', async () => {
  troubles.begin('storage', 'The disk is full.')
  await clock.advance(24 * 60 * MINUTE_MS)
  expect(troubles.isDegraded()).toBe(true)
  troubles.end('storage', 'The disk was full.')
  expect(troubles.isDegraded()).toBe(false)
  expect(troubles.list()).toEqual([
    {
      id: 'storage',
      message: 'The disk was full.',
      since: '2026-01-01T12:00:00.000Z',
      count: 1,
      current: false,
    },
  ])
  await clock.advance(60 * MINUTE_MS)
  expect(troubles.list()).toEqual([])
  expect(lines).toHaveLength(2)
})

test('an event degrades for a quarter of an hour after the last time, whatever the wall clock does', async () => {
  troubles.happened('timer', 'A timer failed.', new Error('one'))
  clock.step(-3_600_000)
  await clock.advance(14 * MINUTE_MS)
  troubles.happened('timer', 'A timer failed.', new Error('two'))
  await clock.advance(14 * MINUTE_MS)
  expect(troubles.isDegraded()).toBe(true)
  await clock.advance(MINUTE_MS)
  expect(troubles.isDegraded()).toBe(false)
})

test('a repeated event is counted each time, and logged once a minute', async () => {
  for (let n = 0; n < 1_000; n++) troubles.happened('timer', 'A timer failed.', new Error('again'))
  expect(troubles.list()[0]).toMatchObject({ count: 1_000 })
  expect(lines).toHaveLength(1)
  await clock.advance(MINUTE_MS)
  troubles.happened('timer', 'A timer failed.', new Error('again'))
  expect(lines).toHaveLength(2)
  expect(clock.pending()).toBe(1)
})

test('[S16] extra fields of an error are not logged', () => {
  troubles.happened(
    'timer',
    'A timer failed.',
    Object.assign(new Error('boom'), { password: 'canary-password' }),
  )
  troubles.happened('reader', 'A reader failed.', { password: 'canary-password' })
  expect(lines.join('')).toContain('boom')
  expect(lines.join('')).not.toContain('canary')
})

test('after the stop no timer is left, also for later problems', async () => {
  troubles.happened('before', 'Something failed.', new Error('broken'))
  troubles.stop()
  troubles.happened('later', 'Something failed.', new Error('broken'))
  expect(clock.pending()).toBe(0)
})
