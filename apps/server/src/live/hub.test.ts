import { liveTiming, PlainState } from '@pulse/contract'
import { createWireReader } from '@pulse/domain'
import { fakeClock } from '@pulse/testkit'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { connectLive } from '../testing/live-client.ts'
import { aGuestOf, bulky, type GivenHub, startHub } from './fixtures.ts'

let given: GivenHub
beforeEach(async () => {
  given = await startHub()
})
afterEach(() => given.stop())

const until = <T>(probe: () => T | Promise<T>) => vi.waitFor(probe, { timeout: within(30_000), interval: 10 })

describe('[facts/collection 4.3] the documented protocol', () => {
  test('welcome, then the whole state, then again on request', async () => {
    given.observe(aGuestOf(100, { cpu: 0.25 }))
    const client = await connectLive(given.url)
    await until(() => expect(client.texts.map((f) => f.type)).toEqual(['welcome', 'initialState']))
    const initial = PlainState.parse(client.texts[1]!.data)
    expect(initial.vms).toMatchObject([{ id: 'lab-pve1-100', cpu: 0.25, mem: 0, uptime: 0, diskRead: 0 }])
    expect(initial.activeAlerts).toEqual([])
    expect(initial.connectionHealth).toEqual({ lab: true })
    client.send({ type: 'requestData' })
    await until(() => expect(client.texts.at(-1)).toMatchObject({ type: 'rawData' }))
  })

  test('a ping is answered with a pong in seconds', async () => {
    const client = await connectLive(given.url)
    const before = Math.floor(Date.now() / 1000)
    client.send({ type: 'ping', data: { timestamp: Date.now() } })
    await until(() => expect(client.texts.some((f) => f.type === 'pong')).toBe(true))
    const pong = client.texts.find((f) => f.type === 'pong')!.data as { timestamp: number }
    expect(pong.timestamp).toBeGreaterThanOrEqual(before)
    expect(pong.timestamp).toBeLessThanOrEqual(Date.now() / 1000)
  })

  test('an event goes to everybody, and is followed by fresh data within a second or so', async () => {
    const [plain, delta] = await Promise.all([
      connectLive(given.url),
      connectLive(given.url, { delta: true }),
    ])
    await until(() => expect(plain.texts.some((f) => f.type === 'initialState')).toBe(true))
    given.hub.publish({ type: 'node_deleted', data: { nodeType: 'pve' } })
    for (const client of [plain, delta]) {
      await until(() =>
        expect(client.texts).toContainEqual({ type: 'node_deleted', data: { nodeType: 'pve' } }),
      )
    }
    await until(() => expect(plain.texts.at(-1)!.type).toBe('rawData'))
  })

  test.each(['{', '[]', '{"type":"nope"}', '{"type":"subscribe","slices":["everything"]}'])(
    'what is not understood is answered and does no harm: %s',
    async (text) => {
      const client = await connectLive(given.url)
      client.send(text)
      await until(() => expect(client.texts).toContainEqual(expect.objectContaining({ type: 'error' })))
      client.send({ type: 'ping' })
      await until(() => expect(client.texts.some((f) => f.type === 'pong')).toBe(true))
    },
  )
})

describe('[design 5] the compact protocol', () => {
  test('a snapshot at once, then one patch a tick with what changed', async () => {
    given.observe(aGuestOf(100, { cpu: 0.1 }), aGuestOf(101, { cpu: 0.2 }))
    const client = await connectLive(given.url, { delta: true })
    await until(() => expect(client.deltas[0]).toMatchObject({ t: 'snapshot', s: 'live' }))
    given.observe(aGuestOf(100, { cpu: 0.1 }), aGuestOf(101, { cpu: 0.9 }))
    await until(() => expect(client.deltas.length).toBeGreaterThan(1))
    expect(client.deltas[1]).toMatchObject({ t: 'patch', set: { guests: { cpu: { i: [1], v: [0.9] } } } })
  })

  test('clients that come and go at any time agree on the state', async () => {
    given.observe(aGuestOf(100, { cpu: 0 }))
    const early = await connectLive(given.url, { delta: true })
    for (let n = 1; n <= 3; n++) {
      given.observe(aGuestOf(100, { cpu: n / 10 }), ...(n % 2 ? [aGuestOf(101, { cpu: n / 10 })] : []))
      await until(() => expect(early.deltas.length).toBeGreaterThan(n))
    }
    const late = await connectLive(given.url, { delta: true })
    await until(() => expect(late.deltas).toHaveLength(1))
    const view = (frames: typeof late.deltas) => {
      const reader = createWireReader()
      const records = new Map<string, unknown>()
      for (const frame of frames) {
        const change = reader.read(frame)
        if (change === 'gap') throw new Error('gap')
        for (const id of change.changed.guests?.remove ?? []) records.delete(id)
        for (const [id, record] of change.changed.guests?.put ?? []) records.set(id, record)
      }
      return records
    }
    expect(view(late.deltas)).toEqual(view(early.deltas))
    expect([...view(late.deltas).keys()]).toEqual(['pve-1:100', 'pve-1:101'])
  })

  test('a snapshot on request, for a client that saw a gap', async () => {
    given.observe(aGuestOf(100, { cpu: 0 }))
    const client = await connectLive(given.url, { delta: true })
    await until(() => expect(client.deltas).toHaveLength(1))
    client.send({ type: 'requestData' })
    await until(() => expect(client.deltas.filter((f) => f.t === 'snapshot')).toHaveLength(2))
  })

  test('the backups slice comes only to clients that asked', async () => {
    const client = await connectLive(given.url, { delta: true })
    await until(() => expect(client.deltas).toHaveLength(1))
    client.send({ type: 'subscribe', slices: ['backups'] })
    await until(() => expect(client.deltas.map((f) => f.s)).toContain('backups'))
    expect(client.deltas[0]!.s).toBe('live')
  })

  test('each subscription names all that is wanted: what it leaves out ends, and starts again when it is named again', async () => {
    const client = await connectLive(given.url, { delta: true })
    const snapshots = (slice: string) => client.deltas.filter((f) => f.s === slice && f.t === 'snapshot')
    client.send({ type: 'subscribe', slices: ['live', 'backups'] })
    await until(() => expect(snapshots('backups')).toHaveLength(1))
    client.send({ type: 'subscribe', slices: [] })
    client.send({ type: 'subscribe', slices: ['live', 'backups'] })
    await until(() => expect(snapshots('backups')).toHaveLength(2))
    expect(snapshots('live')).toHaveLength(1)
  })

  test('five seconds after the last frame comes an empty one, not earlier and not later', async () => {
    await given.stop()
    const clock = fakeClock()
    given = await startHub(clock)
    const client = await connectLive(given.url, { delta: true })
    await until(async () => {
      await clock.advance(10)
      expect(client.deltas.length).toBeGreaterThan(0)
    })
    await clock.advance(liveTiming.heartbeatMs / 2)
    await until(() => expect(client.deltas).toHaveLength(2))
    expect(client.deltas[1]).toEqual(expect.objectContaining({ t: 'patch', from: 0, rev: 0 }))

    await clock.advance(liveTiming.heartbeatMs - 1_000)
    given.observe(aGuestOf(100, { cpu: 0.25 }))
    await clock.advance(liveTiming.tickMs + liveTiming.minGapMs)
    await until(() => expect(client.deltas).toHaveLength(3))
    await clock.advance(liveTiming.heartbeatMs - 2 * liveTiming.minGapMs)
    expect(client.deltas).toHaveLength(3)
    await clock.advance(2 * liveTiming.minGapMs)
    await until(() => expect(client.deltas).toHaveLength(4))
    expect(client.deltas[3]).toEqual(expect.objectContaining({ t: 'patch', from: 1, rev: 1 }))
  })
})

describe('[R15] a client that cannot keep up', () => {
  test('gets no queue, and the latest state when it drains', async () => {
    // 2 MB per frame: a few frames exceed the kernel's buffers.
    const many = () => bulky(1_500_000)
    given.observe(...many())
    const slow = await connectLive(given.url, { delta: true })
    const quick = await connectLive(given.url, { delta: true })
    await until(() => expect(slow.deltas.length && quick.deltas.length).toBeTruthy())
    slow.socket.pause()
    for (let n = 1; n <= 12; n++) {
      given.observe(...many())
      await until(() => expect(quick.deltas.length).toBeGreaterThan(n))
    }
    const rev = quick.deltas.at(-1)!.rev
    slow.socket.resume()
    await until(() => expect(slow.deltas.at(-1)!.rev).toBe(rev))
    expect(slow.deltas.length).toBeLessThan(quick.deltas.length)
    expect(slow.deltas.filter((f) => f.t === 'snapshot').length).toBeGreaterThan(1)
  })
})
