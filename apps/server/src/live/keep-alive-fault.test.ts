import { liveTiming } from '@pulse/contract'
import { aGuest, aMeta, fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { createState } from '../state/state.ts'
import type { Client } from './client.ts'
import { createDeltaFeed } from './delta-feed.ts'

test('the keep-alive goes on after a fault, also when the report of the fault fails', async () => {
  const clock = fakeClock()
  const state = createState(aMeta())
  let reports = 0
  const feed = createDeltaFeed('live', state, clock, () => {
    reports++
    throw new Error('a full disk')
  })
  let buffered = () => 0
  let frames = 0
  const socket = {
    OPEN: 1,
    readyState: 1,
    get bufferedAmount() {
      return buffered()
    },
    send: () => frames++,
  }
  feed.join({ socket, traffic: { frames: 0, bytes: 0 } } as unknown as Client)
  await expect.poll(() => frames).toBe(1)

  let isFull = false
  buffered = () => {
    isFull = true
    return Infinity
  }
  state.observe({ source: 'one', records: { guests: new Map([['1', aGuest()]]) } })
  await clock.advance(liveTiming.tickMs)
  await expect.poll(() => isFull).toBe(true)
  buffered = () => {
    throw new Error('a defect')
  }
  const pass = () => clock.advance(liveTiming.heartbeatMs)
  await expect.poll(async () => (await pass().catch(() => {}), reports)).toBeGreaterThan(2)
  buffered = () => 0
  await expect.poll(async () => (await pass(), frames)).toBeGreaterThan(1)
  feed.stop()
})
