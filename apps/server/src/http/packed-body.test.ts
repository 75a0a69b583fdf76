import Fastify, { type FastifyInstance } from 'fastify'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { realClock } from '../edges.ts'
import { rawClient } from '../testing/raw-client.ts'
import { errorReplier } from './error-reply.ts'
import { isIntricate, takePackedBodies } from './packed-body.ts'

describe('[S23] the room for bodies that come in at once', () => {
  let app: FastifyInstance
  let port: string
  const unpacked: number[] = []
  beforeEach(async () => {
    app = Fastify()
    app.setErrorHandler(errorReplier(realClock))
    takePackedBodies(
      app,
      { bodyLimit: 10_000, inflatedLimit: 10_000 },
      {
        senderOf: ({ headers }) => headers['x-sender'] as string | undefined,
        unpacked: (_request, bytes) => void unpacked.push(bytes),
      },
      1_000,
    )
    app.post('/', async (request) => ({ got: request.body }))
    await app.listen({ host: '127.0.0.1', port: 0 })
    port = String((app.server.address() as AddressInfo).port)
  })
  afterEach(async () => {
    app.server.closeAllConnections()
    await app.close()
  })

  const text = `"${'x'.repeat(598)}"`
  const head = `POST / HTTP/1.1\r\nHost: pulse\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n`

  test('is not for one sender: it takes a quarter, and others find room beside it', async () => {
    const part = `"${'x'.repeat(198)}"`
    const headOf = (sender: string) =>
      head.replace(/Content-Length.*/, `X-Sender: ${sender}\r\nContent-Length: ${part.length}`)
    const slow = await Promise.all(
      ['a', 'a', 'a'].map((sender) => rawClient(port, headOf(sender) + part.slice(0, -1))),
    )
    await expect.poll(() => slow.filter(({ received }) => /^HTTP\/1.1 429 /.test(received))).toHaveLength(2)
    const other = await rawClient(port, headOf('b') + part)
    await expect.poll(() => other.received).toMatch(/^HTTP\/1.1 200 /)
    for (const { received, socket } of slow) if (received === '') socket.write('"')
    await expect.poll(() => slow.map(({ received }) => received).join()).toMatch(/ 200 /)
    const again = await rawClient(port, headOf('a') + part)
    await expect.poll(() => again.received).toMatch(/^HTTP\/1.1 200 /)
    for (const { socket } of [...slow, other, again]) socket.destroy()
  })

  test('is shared: a call that finds none is asked to wait, and it is released', async () => {
    const slow = await rawClient(port, head + text.slice(0, -1))
    await expect
      .poll(async () => {
        const late = await rawClient(port, head + text)
        await expect.poll(() => late.received).toMatch(/^HTTP\/1.1 /)
        late.socket.destroy()
        return late.received
      })
      .toMatch(/^HTTP\/1.1 429 [^]*retry-after: 5/i)
    slow.socket.write('"')
    await expect.poll(() => slow.received).toMatch(/^HTTP\/1.1 200 /)
    const next = await rawClient(port, head + text)
    await expect.poll(() => next.received).toMatch(/^HTTP\/1.1 200 /)
    for (const { socket } of [slow, next]) socket.destroy()
  })

  test('is counted for who sends, as it is unpacked, also of what is refused', async () => {
    unpacked.length = 0
    const bodies: [Buffer, number][] = [
      [gzipSync('"a"'.padEnd(90)), 200],
      [gzipSync('x'.repeat(80)), 400],
      [gzipSync('"b"'.padEnd(900)), 429],
    ]
    for (const [body, status] of bodies) {
      const answer = await fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', 'x-sender': 'a' },
        body: new Uint8Array(body),
      })
      expect(answer.status).toBe(status)
    }
    expect(unpacked).toEqual([90, 80, 900])
  })

  test('is released when a client breaks off', async () => {
    for (let n = 0; n < 5; n++) (await rawClient(port, head + text.slice(0, -1))).socket.destroy()
    await expect
      .poll(async () => {
        const next = await rawClient(port, head + text)
        await expect.poll(() => next.received).toMatch(/^HTTP\/1.1 /)
        next.socket.destroy()
        return next.received
      })
      .toMatch(/^HTTP\/1.1 200 /)
  })
})

describe('[S13] what is small as text and large as objects', () => {
  const bytes = (text: string) => Buffer.from(text)
  test.each([
    ['a report', '{"a":[1,2,{"b":"c"}]}', false],
    ['marks inside a text', JSON.stringify('[{,'.repeat(200_000)), false],
    ['a text with escaped ends', `"${'\\"['.repeat(100)}"`, false],
    ['too many values', `[${'0,'.repeat(250_000)}0]`, true],
    ['too many objects', `[${'{},'.repeat(125_001)}{}]`, true],
    ['too deep', '['.repeat(33), true],
    ['as deep as may be', '['.repeat(32), false],
  ])('%s', (_what, text, intricate) => expect(isIntricate(bytes(text))).toBe(intricate))
})
