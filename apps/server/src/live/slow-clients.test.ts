import { liveTiming } from '@pulse/contract'
import { fakeClock, type FakeClock } from '@pulse/testkit'
import type { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { connectLive, type LiveClient } from '../testing/live-client.ts'
import { aGuestOf, bulky, type GivenHub, startHub } from './fixtures.ts'
import { within } from '../../../../scripts/test-limits.ts'

let clock: FakeClock
let given: GivenHub
beforeEach(async () => {
  clock = fakeClock()
  given = await startHub(clock)
})
afterEach(() => given.stop())

const until = (probe: () => void) => vi.waitFor(probe, { timeout: within(30_000), interval: 10 })
const opened = () => clock.advance(liveTiming.welcomeDelayMs + liveTiming.initialStateDelayMs)

/** Counts how often the server handed each buffer to its sockets. */
function countHandedOn(sockets: Iterable<Socket>) {
  const pieces = new Map<Buffer, number>()
  for (const socket of sockets) {
    const { write } = socket
    socket.write = ((chunk: Buffer, ...rest: []) => {
      if (chunk.length > 10_000) pieces.set(chunk, (pieces.get(chunk) ?? 0) + 1)
      return write.call(socket, chunk, ...rest)
    }) as Socket['write']
  }
  return pieces
}

const queuedBytes = () => [...given.sockets].map((socket) => socket.writableLength)

/** Connected clients that no longer read. */
async function neverReading(count: number, delta = false) {
  const clients = await Promise.all(Array.from({ length: count }, () => connectLive(given.url, { delta })))
  for (const { socket } of clients) socket.pause()
  return clients
}

describe('[R15] clients of the documented protocol that never read', () => {
  test('hold one buffer a tick together, however many they are', async () => {
    given.observe(...bulky(500_000))
    await neverReading(40)
    const pieces = countHandedOn(given.sockets)
    await opened()
    for (let n = 0; n < 3; n++) {
      given.observe(...bulky(500_000))
      await clock.advance(liveTiming.rawDataMs)
    }
    expect([...pieces.values()].reduce((all, times) => all + times)).toBeGreaterThanOrEqual(40)
    expect(pieces.size).toBeLessThanOrEqual(4)
  })

  test('are never owed more than one state, whatever happens and whatever they ask', async () => {
    given.observe(...bulky(8_000_000))
    const clients = await neverReading(5)
    await opened()
    await until(() => expect(Math.min(...queuedBytes())).toBeGreaterThan(1_000_000))
    const before = queuedBytes()
    for (let n = 0; n < 50; n++) {
      given.observe(...bulky(8_000))
      given.hub.publish({ type: 'nodes_changed', data: {} })
      for (const client of clients) for (let i = 0; i < 5; i++) client.send({ type: 'requestData' })
      await clock.advance(300)
    }
    const grown = queuedBytes().map((bytes, n) => bytes - before[n]!)
    expect(Math.max(...grown)).toBeLessThan(20_000)
  })

  test('are cut off 30 s after they stopped, and those who read stay', async () => {
    given.observe(...bulky(8_000_000))
    await neverReading(3)
    const reading = await connectLive(given.url)
    await opened()
    await until(() => expect(reading.texts.at(-1)?.type).toBe('initialState'))
    expect(given.hub.clientCount()).toBe(4)
    for (let s = 0; s < 30; s++) await clock.advance(1_000)
    await until(() => expect(given.hub.clientCount()).toBe(1))
  })

  test('one that reads again gets the state of that moment at once, without waiting for the next round', async () => {
    given.observe(...bulky(8_000_000))
    const [slow] = await neverReading(1)
    await opened()
    await until(() => expect(Math.max(...queuedBytes())).toBeGreaterThan(1_000_000))
    given.observe(aGuestOf(1, { name: 'in between' }))
    await clock.advance(liveTiming.rawDataMs)
    given.observe(aGuestOf(1, { name: 'latest' }))
    slow!.socket.resume()
    const names = () =>
      slow!.texts
        .filter(({ data }) => typeof data === 'object' && 'vms' in data!)
        .map(({ data }) => (data as { vms: { name: string }[] }).vms.at(-1)!.name)
    await until(() => expect(names().at(-1)).toBe('latest'))
    expect(names()).toHaveLength(2)
  })
})

describe('[R15] whatever else a client makes the server send', () => {
  test('a client that pings and never reads is owed a few answers, not one for each', async () => {
    const [client] = await neverReading(1)
    const owed = () => Math.max(0, ...queuedBytes())
    given.observe(...bulky(8_000_000))
    await opened()
    const before = owed()
    for (let n = 0; n < 250; n++) {
      client!.send({ type: 'ping' })
      client!.socket.ping(Buffer.alloc(120))
    }
    await until(() => expect(client!.socket.bufferedAmount).toBe(0))
    given.hub.publish({ type: 'nodes_changed', data: {} })
    expect(owed() - before).toBeLessThan(20_000)
  })

  test('a state on request comes once a second, however often it is asked for', async () => {
    given.observe(aGuestOf(1))
    for (const delta of [false, true]) {
      const client = await connectLive(given.url, { delta })
      await opened()
      const states = () =>
        client.texts.filter(({ type }) => type === 'rawData').length +
        client.deltas.filter(({ t }) => t === 'snapshot').length
      await until(() => expect(states()).toBe(delta ? 1 : 0))
      for (let n = 0; n < 100; n++) client.send({ type: 'requestData' })
      await until(() => expect(states()).toBe(delta ? 2 : 1))
      await clock.advance(liveTiming.rawDataMinGapMs)
      await until(() => expect(states()).toBe(delta ? 3 : 2))
      client.close()
      await client.closed
    }
  })

  test('a client that does not stop talking is cut off', async () => {
    const client = await connectLive(given.url, { delta: true })
    for (let n = 0; n < 400; n++) client.send({ type: 'ping' })
    expect((await client.closed).code).toBe(1008)
  })

  test('an event is one buffer for everybody', async () => {
    await Promise.all(Array.from({ length: 10 }, () => connectLive(given.url, { delta: true })))
    const pieces = countHandedOn(given.sockets)
    const servers = Array.from({ length: 200 }, () => 'x'.repeat(100))
    const data = { servers: [], errors: servers, timestamp: 1 }
    given.next.visitor.principal.role = 'admin'
    given.hub.publish({ type: 'discovery_update', data })
    await until(() => expect([...pieces.values()]).toEqual([10]))
  })
})

describe('[R15] clients of the compact protocol that never read', () => {
  test('are owed at most the limit and one frame, all of it shared', async () => {
    given.observe(...bulky(1_000))
    const clients = await neverReading(10, true)
    await until(() => expect(clients.every(({ socket }) => socket.isPaused)).toBe(true))
    const pieces = countHandedOn(given.sockets)
    for (let n = 0; n < 40; n++) {
      given.observe(...bulky(900_000))
      await clock.advance(300)
      await until(() => expect(pieces.size).toBeGreaterThan(Math.min(n, 3)))
    }
    expect(Math.max(...queuedBytes())).toBeLessThan(3_000_000)
    expect(pieces.size).toBeLessThanOrEqual(41)
  })
})

const anyWith = (vmid: number) =>
  expect.objectContaining({ guests: expect.arrayContaining([expect.objectContaining({ vmid })]) }) as unknown

test('[R16] those who come back at once share a snapshot, although each changes the count of clients', async () => {
  const clients: LiveClient[] = []
  for (let n = 0; n < 20; n++) {
    given.observe(aGuestOf(n))
    clients.push(await connectLive(given.url, { delta: true }))
  }
  await clock.advance(100)
  await until(() => expect(clients.filter(({ deltas }) => deltas.length === 0)).toHaveLength(0))
  const states = new Set(clients.map(({ deltas }) => deltas.find(({ t }) => t === 'snapshot')!.rev))
  expect(states.size).toBeLessThanOrEqual(2)
})

describe('[R7] a fault in the hub', () => {
  test('of one client, one tick or one event is logged, and ends nothing', async () => {
    given.observe(aGuestOf(1))
    const [plain, delta] = [await connectLive(given.url), await connectLive(given.url, { delta: true })]
    await opened()
    await until(() => expect(delta.deltas).toHaveLength(1))
    const broken = aGuestOf(2, { vmid: 1n as never })
    given.observe(broken)
    for (let n = 0; n < 4; n++) await clock.advance(liveTiming.rawDataMs / 2)
    expect(given.errors.join()).toContain('BigInt')
    given.hub.publish({ type: 'nodes_changed', data: { odd: 1n } as never })
    given.observe(aGuestOf(3))
    await clock.advance(liveTiming.heartbeatMs)
    await clock.advance(liveTiming.rawDataMs)
    await until(() => expect(plain.texts.at(-1)?.type).toBe('rawData'))
    await until(() =>
      expect(delta.deltas).toContainEqual(expect.objectContaining({ t: 'snapshot', state: anyWith(3) })),
    )
  })
})
