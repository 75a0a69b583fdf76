// @vitest-environment happy-dom
import { DELTA_PROTOCOL } from '@pulse/contract'
import { deflateRawSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createLive, inflateFrame, liveUrl } from './create-live.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test.each([
  { page: 'http://127.0.0.1:7655/proxmox', url: 'ws://127.0.0.1:7655/ws' },
  { page: 'https://pulse.example/', url: 'wss://pulse.example/ws' },
])('[spec 1 §7] the socket of $page is $url', ({ page, url }) => {
  expect(liveUrl(new URL(page))).toBe(url)
})

test('a frame is deflate-raw of JSON', async () => {
  const frame = { t: 'patch', s: 'live', epoch: 'ä', rev: 2, from: 1 }
  const bytes = deflateRawSync(Buffer.from(JSON.stringify(frame)))
  const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
  expect(await inflateFrame(data)).toEqual(frame)
})

test('[design 9] a long frame is parsed in steps that yield to the event loop', async () => {
  let yields = 0
  const Real = MessageChannel
  vi.stubGlobal('MessageChannel', function channel() {
    yields++
    return new Real()
  })
  const lines = Array.from(
    { length: 100 },
    (_, at) => `${at > 0 ? ',' : ''}{"name":"${'x'.repeat(100_000)}"}`,
  )
  const head = '{"t":"snapshot","s":"live","epoch":"e","rev":0,"index":{"guests":["a"]},"state":{"guests":['
  const json = [head, ...lines, ']}}'].join('\n')
  const bytes = new Uint8Array(deflateRawSync(Buffer.from(json), { level: 0 }))
  expect(await inflateFrame(bytes.buffer)).toEqual(JSON.parse(json))
  expect(yields).toBe(Math.floor(json.length / 2 ** 20))
})

test('a frame that is damaged, cut off or no JSON is refused', async () => {
  const whole = deflateRawSync(Buffer.from('{"t":"patch"}'))
  for (const bytes of [
    Buffer.from([255, 255, 255]),
    whole.subarray(0, 5),
    deflateRawSync(Buffer.from('{')),
  ]) {
    await expect(inflateFrame(new Uint8Array(bytes).buffer)).rejects.toThrow()
  }
})

test('coming online or into view ends the wait, until stop', () => {
  const sockets: EventTarget[] = []
  class DeadSocket extends EventTarget {
    constructor() {
      super()
      sockets.push(this)
    }
    close() {}
  }
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', DeadSocket)
  const live = createLive()
  const lose = () => sockets.at(-1)!.dispatchEvent(new Event('close'))
  live.start()
  window.dispatchEvent(new Event('online'))
  expect(sockets).toHaveLength(1)
  lose()
  window.dispatchEvent(new Event('online'))
  expect(sockets).toHaveLength(2)
  lose()
  document.dispatchEvent(new Event('visibilitychange'))
  expect(sockets).toHaveLength(3)
  lose()
  live.stop()
  window.dispatchEvent(new Event('online'))
  vi.runAllTimers()
  expect(sockets).toHaveLength(3)
})

class OpenSocket extends EventTarget {
  static readonly OPEN = 1
  static last: OpenSocket
  readonly readyState = OpenSocket.OPEN
  readonly protocol = DELTA_PROTOCOL
  constructor() {
    super()
    OpenSocket.last = this
  }
  send() {}
  close() {}
  hear(data: string) {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

describe('[R20] a change of the client clock', () => {
  const hour = 3_600_000
  const steps = [-72 * hour, -hour, hour, 72 * hour]

  function connected() {
    vi.useFakeTimers()
    vi.stubGlobal('WebSocket', OpenSocket)
    const live = createLive()
    live.start()
    OpenSocket.last.dispatchEvent(new Event('open'))
    return { live, socket: OpenSocket.last, status: () => live.connection.get().status }
  }

  test.each(steps)('by %i ms: a timeout shows after ten seconds', (step) => {
    const { live, socket, status } = connected()
    vi.advanceTimersByTime(5_000)
    socket.hear('{"type":"pong","data":{"timestamp":1}}')
    vi.setSystemTime(Date.now() + step)
    vi.advanceTimersByTime(9_999)
    expect(status()).toBe('connected')
    vi.advanceTimersByTime(1)
    expect(status()).toBe('reconnecting')
    live.stop()
  })
})
