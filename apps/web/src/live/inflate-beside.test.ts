import type { DeltaFrame } from '@pulse/contract'
import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { afterEach, expect, test, vi } from 'vitest'
import { createInflate, type Inflater } from './inflate-beside.ts'
import { serveInflate } from './inflate-serve.ts'

const aFrame = (rev: number, bytes: number): DeltaFrame => ({
  t: 'patch',
  s: 'live',
  epoch: 'e',
  rev,
  from: rev - 1,
  set: {
    guests: {
      // as good as random: as many bytes when deflated
      name: { i: [0], v: [randomBytes(Math.ceil(bytes * 0.75)).toString('base64')] },
      cpu: { i: [0, 1], v: [0.5, 0.25] },
    },
  },
})
const deflated = (frame: DeltaFrame) => new Uint8Array(deflateRawSync(JSON.stringify(frame))).buffer
const columnOf = (frame: DeltaFrame) => (frame as Extract<DeltaFrame, { t: 'patch' }>).set!.guests!['cpu']!

const ports: MessagePort[] = []
afterEach(() => {
  for (const port of ports.splice(0)) port.close()
})

/** Another thread as far as messages go: they are copied and come later. */
function aThread() {
  const { port1, port2 } = new MessageChannel()
  ports.push(port1, port2)
  serveInflate(port2)
  port2.start()
  port1.start()
  return port1 as unknown as Inflater
}

function given(start: () => Inflater = aThread) {
  const starting = vi.fn(start)
  return { inflate: createInflate(starting), starting }
}

test('[design 5] an update of many figures is read beside the page, and its figures are handed over', async () => {
  const { inflate, starting } = given()
  await inflate(deflated(aFrame(0, 5_000)))
  expect(starting).not.toHaveBeenCalled()
  const [second, third] = await Promise.all(
    [aFrame(1, 5_000), aFrame(2, 5_000)].map((one) => inflate(deflated(one))),
  )
  expect(starting).toHaveBeenCalledTimes(1)
  expect([second!.rev, third!.rev]).toEqual([1, 2])
  expect(columnOf(second!)).toEqual({ i: Uint32Array.of(0, 1), v: Float64Array.of(0.5, 0.25) })
})

test.each([
  ['the first of all, which the page waits for', 0, 5_000],
  ['one so small that the way there is longer', 1, 100],
  ['one so large that it is a snapshot, whose records would be copied', 1, 300_000],
])('is read by the page itself: %s', async (_what, before, bytes) => {
  const { inflate, starting } = given()
  for (let n = 0; n < before; n++) await inflate(deflated(aFrame(n, 5_000)))
  const frame = await inflate(deflated(aFrame(7, bytes)))
  expect(starting).not.toHaveBeenCalled()
  expect([frame.rev, columnOf(frame).v]).toEqual([7, [0.5, 0.25]])
})

test('one that is damaged is refused, and the next one is read', async () => {
  const { inflate } = given()
  await inflate(deflated(aFrame(0, 5_000)))
  await expect(inflate(new Uint8Array(randomBytes(5_000)).buffer)).rejects.toThrow()
  expect((await inflate(deflated(aFrame(2, 5_000)))).rev).toBe(2)
})

test('when there is no other thread, or it fails, the page reads all of them itself', async () => {
  const none = given(() => {
    throw new Error('not allowed')
  })
  await none.inflate(deflated(aFrame(0, 5_000)))
  expect((await none.inflate(deflated(aFrame(1, 5_000)))).rev).toBe(1)
  expect((await none.inflate(deflated(aFrame(2, 5_000)))).rev).toBe(2)
  expect(none.starting).toHaveBeenCalledTimes(1)

  class Failing extends EventTarget {
    postMessage() {
      queueMicrotask(() => this.dispatchEvent(new Event('error')))
    }
  }
  const failing = given(() => new Failing())
  await failing.inflate(deflated(aFrame(0, 5_000)))
  const both = [aFrame(1, 5_000), aFrame(2, 5_000)].map((one) => failing.inflate(deflated(one)))
  expect((await Promise.all(both)).map(({ rev }) => rev)).toEqual([1, 2])
  expect((await failing.inflate(deflated(aFrame(3, 5_000)))).rev).toBe(3)
  expect(failing.starting).toHaveBeenCalledTimes(1)
})
