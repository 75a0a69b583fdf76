import { type Guest, liveTiming, PlainState, signedOutCode } from '@pulse/contract'
import { type Clock, createWireReader } from '@pulse/domain'
import { randomBytes } from 'node:crypto'
import { aMeta, fakeClock } from '@pulse/testkit'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { AppError } from '../app-error.ts'
import type { Principal } from '../auth/principal.ts'
import { realClock } from '../edges.ts'
import { createPlainView } from '../state/plain-view.ts'
import { createState, type State } from '../state/state.ts'
import { connectLive } from '../testing/live-client.ts'

import { createHub, type Hub } from './hub.ts'
import { messageNeeds, socketNeed } from './needs.ts'
import { within } from '../../../../scripts/test-limits.ts'

const guest = (vmid: number, cpu: number): Guest => ({
  id: `lab-pve1-${vmid}`,
  instance: 'lab',
  node: 'pve1',
  vmid,
  name: `guest ${vmid}`,
  type: 'qemu',
  status: 'running',
  cpu,
  cpus: 2,
  template: false,
  source: 'pve-1',
})

let isCurrent: boolean
let role: 'admin' | 'viewer'
let refusal: AppError | undefined
const principal: Principal = {
  method: 'session',
  id: 'user:1',
  name: 'anna',
  role: 'viewer',
  isCurrent: () => isCurrent,
}

let server: http.Server
let hub: Hub
let state: State
let url: string

const observe = (...guests: Guest[]) =>
  state.observe({
    source: 'pve-1',
    records: { guests: new Map(guests.map((g) => [`pve-1:${g.vmid}`, g])) },
    state: { name: 'lab', kind: 'pve', health: 'healthy', lastSeen: Date.now() },
  })

beforeEach(() => openHub(realClock))
afterEach(closeHub)

async function openHub(clock: Clock) {
  isCurrent = true
  role = 'viewer'
  refusal = undefined
  state = createState(aMeta())
  const view = createPlainView(state, clock)
  hub = createHub({
    state,
    view,
    clock,
    log: pino({ level: 'silent' }),
    identify: async () => {
      if (refusal) throw refusal
      return { principal: { ...principal, role }, client: '192.0.2.1' }
    },
    countRefusal: () => {},
    touch: () => {},
  })
  server = http.createServer()
  server.on('upgrade', hub.handleUpgrade)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function closeHub() {
  await hub.close()
  server.close()
}

const until = <T>(probe: () => T | Promise<T>) => vi.waitFor(probe, { timeout: within(30_000), interval: 10 })

describe('[facts/collection 4.3] the documented protocol', () => {
  test('welcome, then the whole state, then again on request', async () => {
    observe(guest(100, 0.25))
    const client = await connectLive(url)
    await until(() => expect(client.texts.map((f) => f.type)).toEqual(['welcome', 'initialState']))
    const initial = PlainState.parse(client.texts[1]!.data)
    expect(initial.vms).toMatchObject([{ id: 'lab-pve1-100', cpu: 0.25, mem: 0, uptime: 0, diskRead: 0 }])
    expect(initial.activeAlerts).toEqual([])
    expect(initial.connectionHealth).toEqual({ lab: true })
    client.send({ type: 'requestData' })
    await until(() => expect(client.texts.at(-1)).toMatchObject({ type: 'rawData' }))
  })

  test('a ping is answered with a pong in seconds', async () => {
    const client = await connectLive(url)
    const before = Math.floor(Date.now() / 1000)
    client.send({ type: 'ping', data: { timestamp: Date.now() } })
    await until(() => expect(client.texts.some((f) => f.type === 'pong')).toBe(true))
    const pong = client.texts.find((f) => f.type === 'pong')!.data as { timestamp: number }
    expect(pong.timestamp).toBeGreaterThanOrEqual(before)
    expect(pong.timestamp).toBeLessThanOrEqual(Date.now() / 1000)
  })

  test('an event goes to everybody, and is followed by fresh data within a second or so', async () => {
    const [plain, delta] = await Promise.all([connectLive(url), connectLive(url, { delta: true })])
    await until(() => expect(plain.texts.some((f) => f.type === 'initialState')).toBe(true))
    hub.publish({ type: 'node_deleted', data: { nodeType: 'pve' } })
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
      const client = await connectLive(url)
      client.send(text)
      await until(() => expect(client.texts).toContainEqual(expect.objectContaining({ type: 'error' })))
      client.send({ type: 'ping' })
      await until(() => expect(client.texts.some((f) => f.type === 'pong')).toBe(true))
    },
  )
})

describe('[design 5] the compact protocol', () => {
  test('a snapshot at once, then one patch a tick with what changed', async () => {
    observe(guest(100, 0.1), guest(101, 0.2))
    const client = await connectLive(url, { delta: true })
    await until(() => expect(client.deltas[0]).toMatchObject({ t: 'snapshot', s: 'live' }))
    observe(guest(100, 0.1), guest(101, 0.9))
    await until(() => expect(client.deltas.length).toBeGreaterThan(1))
    expect(client.deltas[1]).toMatchObject({ t: 'patch', set: { guests: { cpu: { i: [1], v: [0.9] } } } })
  })

  test('clients that come and go at any time agree on the state', async () => {
    observe(guest(100, 0))
    const early = await connectLive(url, { delta: true })
    for (let n = 1; n <= 3; n++) {
      observe(guest(100, n / 10), ...(n % 2 ? [guest(101, n / 10)] : []))
      await until(() => expect(early.deltas.length).toBeGreaterThan(n))
    }
    const late = await connectLive(url, { delta: true })
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
    observe(guest(100, 0))
    const client = await connectLive(url, { delta: true })
    await until(() => expect(client.deltas).toHaveLength(1))
    client.send({ type: 'requestData' })
    await until(() => expect(client.deltas.filter((f) => f.t === 'snapshot')).toHaveLength(2))
  })

  test('the backups slice comes only to clients that asked', async () => {
    const client = await connectLive(url, { delta: true })
    await until(() => expect(client.deltas).toHaveLength(1))
    client.send({ type: 'subscribe', slices: ['backups'] })
    await until(() => expect(client.deltas.map((f) => f.s)).toContain('backups'))
    expect(client.deltas[0]!.s).toBe('live')
  })

  test('each subscription names all that is wanted: what it leaves out ends, and starts anew when it is named again', async () => {
    const client = await connectLive(url, { delta: true })
    const snapshots = (slice: string) => client.deltas.filter((f) => f.s === slice && f.t === 'snapshot')
    client.send({ type: 'subscribe', slices: ['live', 'backups'] })
    await until(() => expect(snapshots('backups')).toHaveLength(1))
    client.send({ type: 'subscribe', slices: [] })
    client.send({ type: 'subscribe', slices: ['live', 'backups'] })
    await until(() => expect(snapshots('backups')).toHaveLength(2))
    expect(snapshots('live')).toHaveLength(1)
  })

  test('five seconds after the last frame comes an empty one, not earlier and not later', async () => {
    await closeHub()
    const clock = fakeClock()
    await openHub(clock)
    const client = await connectLive(url, { delta: true })
    await until(async () => {
      await clock.advance(10)
      expect(client.deltas.length).toBeGreaterThan(0)
    })
    await clock.advance(liveTiming.heartbeatMs / 2)
    await until(() => expect(client.deltas).toHaveLength(2))
    expect(client.deltas[1]).toEqual(expect.objectContaining({ t: 'patch', from: 0, rev: 0 }))

    await clock.advance(liveTiming.heartbeatMs - 1_000)
    observe(guest(100, 0.25))
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
    // Names that do not compress: 2 MB a frame, more than the kernel's buffers hold after a few.
    const many = () =>
      Array.from({ length: 400 }, (_, n) => ({
        ...guest(n, 0),
        name: randomBytes(3_750).toString('base64'),
      }))
    observe(...many())
    const slow = await connectLive(url, { delta: true })
    const quick = await connectLive(url, { delta: true })
    await until(() => expect(slow.deltas.length && quick.deltas.length).toBeTruthy())
    slow.socket.pause()
    for (let n = 1; n <= 12; n++) {
      observe(...many())
      await until(() => expect(quick.deltas.length).toBeGreaterThan(n))
    }
    const rev = quick.deltas.at(-1)!.rev
    slow.socket.resume()
    await until(() => expect(slow.deltas.at(-1)!.rev).toBe(rev))
    expect(slow.deltas.length).toBeLessThan(quick.deltas.length)
    expect(slow.deltas.filter((f) => f.t === 'snapshot').length).toBeGreaterThan(1)
  })
})

describe('[S2] the socket is a route too', () => {
  test('who has no right is refused before the upgrade, with the reason', async () => {
    refusal = new AppError('authentication_required', 'Authentication required')
    await expect(connectLive(url)).rejects.toThrow('401')
    refusal = new AppError('origin_refused', 'not from here')
    await expect(connectLive(url)).rejects.toThrow('403')
  })

  test('an upgrade elsewhere is not found', async () => {
    await expect(connectLive(`${url}/elsewhere`)).rejects.toThrow('404')
  })

  test('the socket and every message type declare what they need', () => {
    for (const need of [socketNeed, ...Object.values(messageNeeds)]) {
      expect(need).toEqual({ access: 'user', scope: 'monitoring:read' })
    }
  })

  test('[S3] whoever loses the right is cut off at once: no timer and no heartbeat has to run for it', async () => {
    await closeHub()
    // stands still
    await openHub(fakeClock())
    const [reading, silent] = await Promise.all([connectLive(url, { delta: true }), connectLive(url)])
    await until(() => expect(reading.deltas).toHaveLength(1))
    isCurrent = false
    hub.revalidate()
    expect(await reading.closed).toEqual({ code: signedOutCode, reason: 'Signed out' })
    expect(await silent.closed).toMatchObject({ code: signedOutCode })
  })

  test('[S3] a message of somebody whose right has ended is not answered', async () => {
    const client = await connectLive(url)
    isCurrent = false
    client.send({ type: 'requestData' })
    expect(await client.closed).toMatchObject({ code: signedOutCode })
    expect(client.texts).toEqual([])
  })

  test('what tells about the network goes to administrators alone', async () => {
    const viewer = await connectLive(url)
    role = 'admin'
    const admin = await connectLive(url)
    const event = {
      type: 'discovery_started',
      data: { scanning: true, subnet: 'auto', timestamp: 1 },
    } as const
    hub.publish(event)
    hub.publish({ type: 'node_deleted', data: { nodeType: 'pve' } })
    for (const client of [viewer, admin]) {
      await until(() => expect(client.texts.some(({ type }) => type === 'node_deleted')).toBe(true))
    }
    expect(admin.texts).toContainEqual(event)
    expect(viewer.texts).not.toContainEqual(event)
  })

  test('a stop says goodbye with 1001', async () => {
    const client = await connectLive(url, { delta: true })
    const closing = hub.close()
    expect(await client.closed).toMatchObject({ code: 1001 })
    await closing
  })
})
