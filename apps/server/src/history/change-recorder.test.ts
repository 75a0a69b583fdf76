import type { ChangeEntry } from '@pulse/domain'
import { aGuest, fakeClock } from '@pulse/testkit'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { AppError } from '../app-error.ts'
import type { Logged } from '../db/history/past-messages.ts'
import { firstMeta } from '../state/first-meta.ts'
import { createState } from '../state/state.ts'
import { within } from '../../../../scripts/test-limits.ts'
import { createChangeRecorder } from './change-recorder.ts'

const minute = 60_000

function given() {
  const clock = fakeClock()
  const state = createState(firstMeta(0, '0', []))
  const faults: unknown[] = []
  const lines: string[] = []
  const sent: ChangeEntry[] = []
  let answer: () => Logged = () => ({ isOpen: false })
  const recorder = createChangeRecorder({
    state,
    clock,
    log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
    send: async (entries) => {
      sent.push(...entries)
      return answer()
    },
    onFault: (error) => faults.push(error),
  })
  recorder.start()
  recorder.resend()
  onTestFinished(() => recorder.stop())
  const observe = (
    health: 'healthy' | 'error',
    guests: readonly number[] = [100],
    name = 'guest',
    source = 'main',
  ) =>
    state.observe({
      source,
      records: {
        guests: new Map(guests.map((vmid) => [`${source}:${vmid}`, aGuest({ source, vmid, name })])),
      },
      state: { name: 'prod', kind: 'pve', health, lastSeen: clock.now() },
    })
  return {
    /** Lets that time pass. Each tick has its answer before the next one. */
    async pass(ms: number) {
      for (let left = ms; left > 0; left -= 10_000) {
        await clock.advance(10_000)
        await vi.waitFor(() => expect(recorder.figures().owed).toBe(0), {
          interval: 1,
          timeout: within(10_000),
        })
      }
    },
    faults,
    lines,
    sent,
    observe,
    forget: () => state.forget('main'),
    answerWith: (next: () => Logged) => void (answer = next),
    lists: () => sent.filter((entry) => entry.do === 'list' && entry.sources.includes('main')),
  }
}

test('[M 3.5] a source that was down begins to settle again: what it lists first may not be all', async () => {
  const { pass, observe, lists } = given()
  observe('healthy')
  await pass(minute)
  observe('error')
  await pass(20 * minute)
  observe('healthy', [])
  await pass(5 * minute)
  expect(lists()).toEqual([])
  await pass(6 * minute)
  expect(lists()).not.toEqual([])
})

test('[M 1.3] a file that takes no changes for long is one line in the log, and so is the next one', async () => {
  const { pass, observe, lines, answerWith } = given()
  answerWith(() => ({ isOpen: false, lost: 'no space' }))
  observe('healthy')
  await pass(20 * minute)
  expect(lines).toHaveLength(1)
  answerWith(() => ({ isOpen: false }))
  await pass(2 * minute)
  answerWith(() => ({ isOpen: false, lost: 'no space' }))
  observe('healthy', [101])
  await pass(2 * minute)
  expect(lines).toHaveLength(2)
})

test('a fault of the recorder itself is reported, and its changes are sent again; a history that is not there is none', async () => {
  const { pass, observe, faults, answerWith } = given()
  answerWith(() => {
    throw new AppError('history_unavailable', 'The metric history cannot be opened: no space')
  })
  observe('healthy')
  await pass(2 * minute)
  expect(faults).toEqual([])
  const fault = new TypeError('a fault')
  answerWith(() => {
    throw fault
  })
  observe('healthy', [101])
  await pass(2 * minute)
  expect(faults[0]).toBe(fault)
})

test('[N 6] in a large estate all records may change at once, and each a second time is too much', async () => {
  const { pass, observe, lines } = given()
  const all = Array.from({ length: 12_000 }, (_, n) => n + 1)
  observe('healthy', all)
  await pass(minute)
  observe('healthy', all, 'renamed')
  await pass(minute)
  expect(lines).toEqual([])
  observe('healthy', all, 'once')
  observe('healthy', all, 'twice')
  expect(lines).toHaveLength(1)
})

test('a large source that is removed is one change of each record, not too much: nothing else is lost with it', async () => {
  const { pass, observe, forget, lines, sent } = given()
  observe('healthy', [1], 'of another source', 'other')
  observe(
    'healthy',
    Array.from({ length: 12_000 }, (_, n) => n + 1),
  )
  await pass(2 * minute)
  sent.length = 0
  forget()
  observe('healthy', [1], 'renamed', 'other')
  await pass(10_000)
  expect(lines).toEqual([])
  expect(sent.filter((entry) => entry.do === 'remove')).toHaveLength(12_001)
  expect(sent.at(-1)).toMatchObject({ id: 'other:1', do: 'set' })
})
