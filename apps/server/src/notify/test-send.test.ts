import { afterEach, expect, test, vi } from 'vitest'
import { deliveryStore } from '../db/deliveries.ts'
import { aPipeline, secondMs, type TestPipeline } from './fixtures.ts'
import { createTestSend } from './test-send.ts'

let now: TestPipeline
afterEach(() => now.end())

test('a test waits for its answer as long as its channel says', async () => {
  now = await aPipeline()
  const sink = now.channel('sink')
  sink.testTimeoutMs = 10_000
  sink.answer = () => new Promise(() => {})
  const sendTest = createTestSend({
    clock: now.ground.clock,
    store: deliveryStore(now.ground.db),
    publicUrl: () => undefined,
    someNode: () => undefined,
    report: (error) => {
      throw error
    },
    stop: new AbortController().signal,
  })
  const ended = sendTest(sink).then(
    () => 'delivered',
    (error: Error) => error.message,
  )
  await now.pass(10 * secondMs)
  expect(await ended).toBe('No response before the timeout.')
})

test('[R14] a test that hangs ends with Pulse, as the connection does', async () => {
  now = await aPipeline()
  const sink = now.channel('sink')
  const cutOff = vi.fn()
  sink.answer = (_notice, signal) => new Promise(() => signal.addEventListener('abort', cutOff))
  const stop = new AbortController()
  const sendTest = createTestSend({
    clock: now.ground.clock,
    store: deliveryStore(now.ground.db),
    publicUrl: () => undefined,
    someNode: () => undefined,
    report: (error) => expect.unreachable(String(error)),
    stop: stop.signal,
  })
  const result = expect(sendTest(sink)).rejects.toThrow('Pulse was stopped before it finished.')
  stop.abort()
  await result
  expect(cutOff).toHaveBeenCalledOnce()
})
