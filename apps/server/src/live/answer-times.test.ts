import { type DeltaFrame, liveTiming, type SourceState } from '@pulse/contract'
import { aGuest, aMeta, fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { inflateRawSync } from 'node:zlib'
import { createState } from '../state/state.ts'
import { answerTimesMs } from './answer-times.ts'
import type { Client } from './client.ts'
import { createDeltaFeed } from './delta-feed.ts'

const secondMs = 1_000

/** A source that changes each time, and a client that counts the frames with changes. */
async function given() {
  const clock = fakeClock()
  const state = createState(aMeta())
  const feed = createDeltaFeed('live', state, clock, (error) => expect.fail(String(error)))
  const patches: number[] = []
  const socket = {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    send(bytes: Buffer) {
      const { t, rev } = JSON.parse(inflateRawSync(bytes).toString()) as DeltaFrame
      if (t === 'snapshot') patches.length = 0
      else if (rev > (patches.at(-1) ?? 0)) patches.push(rev)
    },
  }
  const say = (change: Partial<SourceState> = {}, cpu = 0.1) =>
    state.observe({
      source: 'home',
      records: { guests: new Map([['home:100', aGuest({ vmid: 100, cpu })]]) },
      state: { name: 'home', kind: 'pve', health: 'healthy', lastSeen: clock.now(), ...change },
    })
  /** Advances the clock in small steps, because frames are compressed on other threads. */
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 50) {
      await clock.advance(50)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  say()
  feed.join({ socket, traffic: { frames: 0, bytes: 0 } } as unknown as Client)
  await pass(secondMs)
  const sent = async (count: number) => expect.poll(() => patches.length).toBe(count)
  return { clock, feed, say, pass, sent, patches }
}

test('when a source has answered waits for what says more, or some seconds', async () => {
  const { feed, say, pass, sent } = await given()
  for (let answer = 0; answer < 8; answer++) {
    await pass(answerTimesMs / 8)
    say()
  }
  await pass(answerTimesMs / 8 + liveTiming.minGapMs)
  await sent(1)
  feed.stop()
})

test.each<[string, Partial<SourceState>, number]>([
  ['a figure', {}, 0.9],
  ['that the source fails', { health: 'error', error: 'it does not answer' }, 0.1],
])('%s does not wait', async (_what, change, cpu) => {
  const { feed, say, pass, sent } = await given()
  await pass(secondMs)
  say()
  await pass(50)
  say(change, cpu)
  await pass(liveTiming.tickMs + 50)
  await sent(1)
  feed.stop()
})
