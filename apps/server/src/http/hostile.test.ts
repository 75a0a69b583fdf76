import { createAuthority } from '@pulse/lab'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AddressInfo } from 'node:net'
import v8 from 'node:v8'
import vm from 'node:vm'
import { gzipSync } from 'node:zlib'
import { networks } from '../auth/networks.ts'
import { realClock } from '../edges.ts'
import { connectLive, type LiveClient } from '../testing/live-client.ts'
import { handshake, rawClient } from '../testing/raw-client.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'
import { createAnswers } from './answers.ts'
import { createHttp } from './app.ts'
import { createBasePath } from './base-path.ts'
import { hostileFrames } from './fixtures-hostile-frames.ts'
import { hostileRequests } from './fixtures-hostile-requests.ts'

v8.setFlagsFromString('--expose-gc')
const collectGarbage = vm.runInNewContext('gc') as () => void

let server: TestServer
let healthy: LiveClient
beforeAll(async () => {
  server = await startTestServer()
  healthy = await connectLive(server.url, { delta: true })
})
afterAll(() => server.stop())

const port = () => new URL(server.url).port
const statuses = (text: string) =>
  [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status))

/** A well-behaved client is still served, and all connections of the attack are closed. */
async function isHealthy() {
  const before = healthy.deltas.length
  expect((await server.call('GET', '/api/health')).status).toBe(200)
  healthy.send({ type: 'ping' })
  await expect.poll(() => healthy.texts.at(-1)?.type).toBe('pong')
  await expect
    .poll(async () => (await server.call('GET', '/api/stats')).body)
    .toMatchObject({ webSocketClients: 1 })
  expect(healthy.socket.readyState).toBe(healthy.socket.OPEN)
  expect(before).toBeGreaterThan(0)
  expect(server.logLines.filter((line) => /"level":(50|60)/.test(line))).toEqual([])
}

describe('[S23] bodies', () => {
  const post = (where: string, body: string | Buffer, headers: Record<string, string> = {}) =>
    fetch(server.url + where, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'x-api-token': adminToken, ...headers },
    })

  test('of 100 MB: refused, read away, and never held', async () => {
    const piece = Buffer.alloc(1024 * 1024)
    const lines = [
      `X-API-Token: ${adminToken}`,
      'Content-Type: application/json',
      'Content-Length: 104857600',
    ]
    const client = await rawClient(
      port(),
      ['POST /api/config/import HTTP/1.1', 'Host: pulse', ...lines, '', ''].join('\r\n'),
    )
    collectGarbage()
    const before = process.memoryUsage().arrayBuffers
    const mostBytes = 30_000_000
    let most = 0
    // The server cuts off a client that sends for more than ten seconds, which happens on a busy machine.
    for (let n = 0; n < 100 && !client.socket.destroyed; n++) {
      const drained = new Promise((resolve) => client.socket.once('drain', resolve))
      if (!client.socket.write(piece)) await Promise.race([client.closed, drained])
      if (n % 10 !== 9) continue
      // collects garbage only if the memory would exceed the limit
      if (process.memoryUsage().arrayBuffers - before >= mostBytes) collectGarbage()
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    }
    client.socket.end()
    await client.closed
    expect(statuses(client.received)).toEqual([413])
    expect(most).toBeLessThan(mostBytes)
  })

  test.each(['gzip', 'deflate', 'br', 'zstd'])('a bomb in %s is not unpacked', async (coding) => {
    const answer = await post('/api/config/nodes', gzipSync(Buffer.alloc(20_000_000)).subarray(0, 15_000), {
      'content-encoding': coding,
    })
    expect(answer.status).toBe(400)
  })

  test.each([
    ['arrays', '['.repeat(5_000_000) + ']'.repeat(5_000_000)],
    ['objects', '{"a":'.repeat(1_500_000) + '1' + '}'.repeat(1_500_000)],
    ['objects in a field', `{"data":${'{"__proto__":'.repeat(500_000)}1${'}'.repeat(500_000)}}`],
  ])('JSON of millions of levels: %s', async (_, text) => {
    const answer = await post('/api/config/import', text)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      code: expect.stringMatching(/invalid|bad_request|validation/),
    })
  })

  test('and afterwards everybody else is served as before', isHealthy)
})

describe(`[S23] ${hostileRequests.length} requests that are none`, () => {
  test.each(hostileRequests)('$name', async ({ bytes }) => {
    const client = await rawClient(port(), bytes)
    client.socket.end()
    await client.closed
    for (const status of statuses(client.received))
      expect(status, client.received).toBeGreaterThanOrEqual(400)
    for (const status of statuses(client.received)) expect(status, client.received).toBeLessThan(500)
    expect(client.received).not.toContain('"healthy"')
  })

  test('and afterwards everybody else is served as before', isHealthy)
})

describe(`[S23] ${hostileFrames.length} things to say on the socket`, () => {
  test.each(hostileFrames)('$name', async ({ bytes, code }) => {
    const client = await rawClient(
      port(),
      handshake('/ws', { 'X-API-Token': adminToken, 'Sec-WebSocket-Protocol': 'pulse.delta.1' }),
    )
    await expect.poll(() => client.received).toMatch(/^HTTP\/1.1 101 /)
    client.socket.write(bytes)
    await client.ended
    const closing = Buffer.from(client.received, 'latin1')
    expect(
      closing.includes(
        Buffer.from([0x88, closing.at(closing.lastIndexOf(0x88) + 1)!, code >> 8, code & 0xff]),
      ),
    ).toBe(true)
    client.socket.destroy()
  })

  test('and afterwards everybody else is served as before', isHealthy)
})

describe('[S23] requests that take for ever', () => {
  const times = {
    headersMs: 300,
    requestMs: 600,
    keepAliveTimeoutMs: 60_000,
    tlsHandshakeMs: 300,
    lookMs: 50,
  }
  const head = 'POST /api/login HTTP/1.1\r\nHost: pulse\r\nContent-Type: application/json\r\n'

  const impatient = (tls: { cert: Buffer; key: Buffer } | undefined) =>
    createHttp({
      log: pino({ level: 'silent' }),
      clock: realClock,
      times,
      routes: [],
      access: undefined as never,
      record: async () => {},
      trustedProxies: networks([]),
      origins: () => ({ allowedOrigins: [], allowEmbedding: false, allowedEmbedOrigins: [] }),
      modeHeaders: {},
      mask: undefined,
      tls,
      webDir: undefined,
      basePath: createBasePath(''),
      answers: createAnswers(),
    })

  test.each([
    { how: 'nothing at all', first: '', drip: '' },
    { how: 'half a line', first: 'GET /api/he', drip: '' },
    { how: 'a header a moment', first: head, drip: 'x: y\r\n' },
    { how: 'half a body', first: `${head}Content-Length: 100\r\n\r\nabc`, drip: '' },
    { how: 'a byte of the body a moment', first: `${head}Content-Length: 100000\r\n\r\n`, drip: 'a' },
    { how: 'a chunk a moment', first: `${head}Transfer-Encoding: chunked\r\n\r\n`, drip: '1\r\na\r\n' },
  ])('$how: refused with a reason and cut off', async ({ first, drip }) => {
    const app = await impatient(undefined)
    app.post('/api/login', async () => 'read')
    await app.listen({ host: '127.0.0.1', port: 0 })
    const client = await rawClient((app.server.address() as AddressInfo).port, first)
    const dripping = setInterval(() => drip && client.socket.writable && client.socket.write(drip), 20)
    await client.ended
    clearInterval(dripping)
    client.socket.destroy()
    await app.close()
    expect(client.received).not.toContain('read')
    if (client.received) expect(client.received).toMatch(/^HTTP\/1.1 408 [^]*"request_timeout"/)
  })

  test('a handshake of TLS that does not go on: cut off', async () => {
    const { certPem, keyPem } = await createAuthority(Date.now())
    const app = await impatient({ cert: Buffer.from(certPem), key: Buffer.from(keyPem) })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const client = await rawClient((app.server.address() as AddressInfo).port, '\x16\x03\x01')
    await client.ended
    client.socket.destroy()
    await app.close()
    expect(client.received).toBe('')
  })
})
