import { fakeClock, type FakeClock } from '@pulse/testkit'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { AppError } from '../app-error.ts'
import { lingering } from '../refusals.ts'
import { connectLive } from '../testing/live-client.ts'
import { socketCaps } from './caps.ts'
import { handshake, rawClient } from '../testing/raw-client.ts'
import { aPrincipal, type GivenHub, startHub } from './fixtures.ts'
import { within } from '../../../../scripts/test-limits.ts'

let clock: FakeClock
let given: GivenHub
beforeEach(async () => {
  clock = fakeClock()
  given = await startHub(clock)
})
afterEach(() => given.stop())

const until = (probe: () => void) => vi.waitFor(probe, { timeout: within(30_000), interval: 10 })

const ways: { how: string; text: string; refusal?: AppError; status: number }[] = [
  {
    how: 'no credentials',
    text: handshake(),
    refusal: new AppError('authentication_required', 'Authentication required'),
    status: 401,
  },
  {
    how: 'another site',
    text: handshake(),
    refusal: new AppError('origin_refused', 'not from here'),
    status: 403,
  },
  { how: 'another path', text: handshake('/elsewhere'), status: 404 },
  { how: 'no key', text: handshake('/ws', { 'Sec-WebSocket-Key': undefined }), status: 400 },
  {
    how: 'a key of the wrong length',
    text: handshake('/ws', { 'Sec-WebSocket-Key': 'c2hvcnQ=' }),
    status: 400,
  },
  { how: 'an unknown version', text: handshake('/ws', { 'Sec-WebSocket-Version': '99' }), status: 400 },
  { how: 'another protocol', text: handshake('/ws', { Upgrade: 'h2c' }), status: 400 },
  { how: 'a broken subprotocol', text: handshake('/ws', { 'Sec-WebSocket-Protocol': ',,' }), status: 400 },
  { how: 'another method', text: handshake().replace('GET', 'POST'), status: 400 },
]

describe('[S2] a refused upgrade', () => {
  test.each(ways)(
    '$how: gets the reason, is counted, and closed although it keeps its end open',
    async (way) => {
      given.next.refusal = way.refusal
      const client = await rawClient(given.port, way.text)
      await client.ended
      expect(client.received).toMatch(new RegExp(`^HTTP/1.1 ${way.status} `))
      const body = JSON.parse(client.received.split('\r\n\r\n')[1]!) as object
      expect(body).toMatchObject({
        error: expect.any(String),
        status_code: way.status,
        code: expect.any(String),
      })
      expect(given.refusals).toBe(1)
      expect(given.sockets.size).toBe(1)
      await clock.advance(lingering.ms)
      await until(() => expect(given.sockets.size).toBe(0))
    },
  )

  test('one that closes its end after the answer is gone at once', async () => {
    given.next.refusal = new AppError('authentication_required', 'no')
    const before = clock.pending()
    const client = await rawClient(given.port, handshake())
    await client.ended
    client.socket.end()
    await until(() => expect(given.sockets.size).toBe(0))
    expect(clock.pending()).toBe(before)
  })

  test('four hundred at once keep no more descriptors than a few, whatever the clock does', async () => {
    given.next.refusal = new AppError('authentication_required', 'no')
    const clients = await Promise.all(Array.from({ length: 400 }, () => rawClient(given.port, handshake())))
    await until(() => expect(given.refusals).toBe(400))
    await until(() => expect(given.sockets.size).toBeLessThanOrEqual(lingering.most))
    for (const { socket } of clients) socket.destroy()
  })

  test('beyond the limit it is asked to wait', async () => {
    given.next.refusal = new AppError('authentication_required', 'no')
    given.onRefusal = () => {
      throw new AppError('rate_limit', 'Too many requests.', { headers: { 'retry-after': '7' } })
    }
    const client = await rawClient(given.port, handshake())
    await client.ended
    expect(client.received).toMatch(/^HTTP\/1.1 429 /)
    expect(client.received).toMatch(/retry-after: 7/i)
  })

  test('one that is still being looked at when Pulse stops holds nothing up', async () => {
    given.next.visitor = new Promise(() => {}) as never
    await rawClient(given.port, handshake())
    await until(() => expect(given.sockets.size).toBe(1))
    await given.hub.close()
    await until(() => expect(given.sockets.size).toBe(0))
  })

  test('a fault while it is looked at is logged, answered as a server error, and ends nothing', async () => {
    given.next.refusal = new TypeError('broken') as never
    const client = await rawClient(given.port, handshake())
    await client.ended
    expect(client.received).toMatch(/^HTTP\/1.1 500 /)
    expect(client.received).not.toContain('broken')
    expect(given.errors.join()).toContain('broken')
  })
})

describe('[S2] however many sockets a client opens', () => {
  const comes = (client: string, id: string, role: 'admin' | 'viewer' = 'viewer') => {
    given.next.visitor = { principal: aPrincipal({ id, role }), client }
    return connectLive(given.url, { delta: true }).then(
      () => 'in',
      (error: Error) => /\d{3}/.exec(error.message)?.[0],
    )
  }
  const small = { total: 8, perAddress: 6, perPrincipal: 4, adminReserve: 2 }
  beforeEach(async () => {
    await given.stop()
    given = await startHub(clock, small)
  })

  test('one account or token holds its share, and gets the reason', async () => {
    for (let n = 0; n < 4; n++) expect(await comes('192.0.2.1', 'token:1')).toBe('in')
    expect(await comes('192.0.2.2', 'token:1')).toBe('429')
    expect(await comes('192.0.2.1', 'user:2', 'admin')).toBe('in')
  })

  test('one address holds its share; an administrator there still gets in', async () => {
    for (let n = 0; n < 4; n++) expect(await comes('192.0.2.1', `token:${n}`)).toBe('in')
    expect(await comes('192.0.2.1', 'token:9')).toBe('429')
    expect(await comes('192.0.2.1', 'user:2', 'admin')).toBe('in')
    expect(await comes('192.0.2.2', 'token:9')).toBe('in')
  })

  test('all together hold no more than the whole; the last places are for administrators', async () => {
    for (let n = 0; n < 6; n++) expect(await comes(`192.0.2.${n}`, `token:${n}`)).toBe('in')
    expect(await comes('192.0.2.9', 'token:9')).toBe('429')
    expect(await comes('192.0.2.9', 'user:1', 'admin')).toBe('in')
    expect(await comes('192.0.2.9', 'user:1', 'admin')).toBe('in')
    expect(await comes('192.0.2.9', 'user:1', 'admin')).toBe('429')
  })

  test('a place is free again when its socket closes', async () => {
    const all = []
    for (let n = 0; n < 4; n++) all.push(await connectLive(given.url, { delta: true }))
    expect(await comes('192.0.2.1', 'user:1')).toBe('429')
    all[0]!.socket.terminate()
    await until(() => expect(given.hub.clientCount()).toBe(3))
    expect(await comes('192.0.2.1', 'user:1')).toBe('in')
  })

  test('[R16] a thousand behind one address and with one token are not refused, and twice as many are', () => {
    expect(socketCaps.perPrincipal).toBeGreaterThanOrEqual(1_200)
    expect(socketCaps.perAddress - socketCaps.adminReserve).toBeGreaterThanOrEqual(socketCaps.perPrincipal)
    expect(socketCaps.total - socketCaps.adminReserve).toBeGreaterThanOrEqual(2 * socketCaps.perPrincipal)
  })
})
