import type { SourceState } from '@pulse/contract'
import { aGuest, fakeClock } from '@pulse/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { FrameJoiner } from './frame-codec.ts'
import { createFrameSender } from './frame-sender.ts'
import { partOf } from '../nats/parts.ts'

const source = 's'
const state = (health: SourceState['health']): SourceState => ({ name: 'pve-s', kind: 'pve', health })
const records = { guests: new Map([['s:1', aGuest({ source })]]) }
const promiseMs = 10_000

/** A sender whose line takes everything. */
function aSender() {
  const clock = fakeClock()
  const joiner = new FrameJoiner({ site: 'main', source })
  const frames: Exclude<ReturnType<FrameJoiner['take']>, 'gap' | undefined>[] = []
  let ask = () => {}
  const line = { isUp: true }
  const sender = createFrameSender({
    bus: {
      get isUp() {
        return line.isUp
      },
      nats: {
        subscribe(_: string, { callback }: { callback: () => void }) {
          ask = callback
          return { unsubscribe() {} }
        },
      } as never,
      jetstream: {
        async publish(_: string, data: Uint8Array, { headers }: { headers: never }) {
          const frame = joiner.take(partOf(headers, data)!)
          if (frame && frame !== 'gap') frames.push(frame)
        },
      } as never,
      manager: {} as never,
    },
    site: 'main',
    source,
    fence: '000000000000001.0000000000000001',
    clock,
    onFault: (error) => {
      throw error
    },
  })
  onTestFinished(sender.stop)
  const healths = () => frames.map(({ state: said }) => said?.health)
  return { clock, sender, line, frames, healths, ask: () => ask() }
}

test('a source that answers while its process is in doubt of it is not said to be in error', async () => {
  const { clock, sender, healths } = aSender()
  for (let n = 0; n < 5; n++) {
    sender.offer({ records, state: state('healthy'), promiseMs })
    await clock.advance(promiseMs + 1_500)
  }
  expect(new Set(healths())).toEqual(new Set(['healthy']))
})

test('one that does not answer is said to be in error again and again, until it answers', async () => {
  const { clock, sender, healths } = aSender()
  sender.offer({ records, state: state('healthy'), promiseMs })
  await clock.advance(promiseMs + 2_000)
  expect(healths()).toEqual(['healthy', 'error'])
  await clock.advance(20_000)
  expect(healths()).toEqual(['healthy', 'error', 'error', 'error'])
  sender.offer({ records, state: state('healthy'), promiseMs })
  await clock.advance(promiseMs - 1)
  expect(healths().slice(4)).toEqual(['healthy'])
})

test('a process that is stopped while in doubt of a source reads its answer before it says that there is none', async () => {
  const { clock, sender, healths } = aSender()
  sender.offer({ records, state: state('healthy'), promiseMs })
  await clock.advance(promiseMs + 1_000)
  clock.suspend(5_000)
  // as long as any source has after a stop
  await clock.advance(4_900)
  sender.offer({ records, state: state('healthy'), promiseMs })
  await clock.advance(promiseMs)
  expect(healths()).toEqual(['healthy', 'healthy'])
})

test('nor does one say so that was stopped when the time of the source ended', async () => {
  const { clock, sender, healths } = aSender()
  sender.offer({ records, state: state('healthy'), promiseMs })
  await clock.advance(promiseMs - 1_000)
  clock.suspend(9_000)
  await clock.advance(4_900)
  sender.offer({ records, state: state('healthy'), promiseMs })
  await clock.advance(promiseMs)
  expect(healths()).toEqual(['healthy', 'healthy'])
})

test('an error that was said before the line was cut is said with a new promise when the line is back', async () => {
  const { clock, sender, line, frames } = aSender()
  sender.offer({ records, state: state('error') })
  await clock.advance(1_000)
  line.isUp = false
  await clock.advance(120_000)
  line.isUp = true
  sender.resend()
  await clock.advance(1_000)
  expect(frames.at(-1)).toMatchObject({ begins: true, promiseMs: 30_000, state: { health: 'error' } })
})

test('a source that has never answered is in the base that a process asks for', async () => {
  const { clock, sender, frames, ask } = aSender()
  ask()
  sender.offer({ records: {}, state: state('error') })
  await clock.advance(1_000)
  ask()
  await clock.advance(1_000)
  expect(frames.map(({ begins, state: said }) => [begins, said?.health])).toEqual([
    [true, 'error'],
    [true, 'error'],
  ])
})
