import { type DeltaFrame, liveTiming } from '@pulse/contract'
import { createWireReader } from '@pulse/domain'
import { aGuest, aMeta, fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { inflateRawSync } from 'node:zlib'
import { createState } from '../state/state.ts'
import type { Client } from './client.ts'
import { createDeltaFeed } from './delta-feed.ts'

/** A client that reads every frame it gets. */
function readingClient() {
  const reader = createWireReader()
  const read = { guests: new Set<string>(), gaps: 0 }
  const socket = {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    send(bytes: Buffer) {
      const frame = JSON.parse(inflateRawSync(bytes).toString()) as DeltaFrame
      const change = reader.read(frame)
      if (change === 'gap') return void read.gaps++
      if (change.reset) read.guests.clear()
      const { put, remove } = change.changed.guests!
      for (const id of remove) read.guests.delete(id)
      for (const id of put.keys()) read.guests.add(id)
    },
  }
  return { client: { socket, traffic: { frames: 0, bytes: 0 } } as unknown as Client, read }
}

test('[design §5] an epoch that ends while its snapshot is under way leaves no client with a gap', async () => {
  const clock = fakeClock()
  const state = createState(aMeta())
  const feed = createDeltaFeed('live', state, clock, (error) => expect.fail(String(error)))
  const say = (from: number, to: number) => {
    const all = Array.from({ length: to - from }, (_, n) => aGuest({ vmid: from + n }))
    state.observe({ source: 'one', records: { guests: new Map(all.map((one) => [`${one.vmid}`, one])) } })
  }
  const { client, read } = readingClient()
  say(0, 20_000)
  feed.join(client)
  await new Promise((resolve) => setImmediate(resolve)) // the new epoch has begun
  say(0, 3)
  await clock.advance(liveTiming.tickMs)
  await expect.poll(() => read.guests.size).toBe(3)
  say(0, 4)
  await clock.advance(liveTiming.minGapMs + liveTiming.tickMs)
  await expect.poll(() => read.gaps > 0 || read.guests.size === 4).toBe(true)
  expect(read.gaps).toBe(0)
  feed.stop()
})

test('[design §5] what changes while the first snapshot is put together is not lost for waiting clients', async () => {
  const clock = fakeClock()
  const state = createState(aMeta())
  const feed = createDeltaFeed('live', state, clock, (error) => expect.fail(String(error)))
  const say = (to: number) => {
    const all = Array.from({ length: to }, (_, n) => aGuest({ vmid: n }))
    state.observe({ source: 'one', records: { guests: new Map(all.map((one) => [`${one.vmid}`, one])) } })
  }
  say(20_000)
  const [gone, stays] = [readingClient(), readingClient()]
  feed.join(gone.client)
  await new Promise((resolve) => setImmediate(resolve)) // the new epoch has begun
  say(19_000)
  feed.leave(gone.client)
  say(18_000)
  feed.join(stays.client)
  await clock.advance(200)
  say(17_000)
  await clock.advance(liveTiming.minGapMs + liveTiming.tickMs)
  await expect.poll(() => stays.read.guests.size).toBe(17_000)
  expect(stays.read.gaps).toBe(0)
  expect(gone.read.guests.size).toBe(0)
  feed.stop()
})
