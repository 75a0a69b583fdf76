import { DELTA_PROTOCOL, type DeltaFrame } from '@pulse/contract'
import { createWireReader } from '@pulse/domain'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { CrowdFigures } from './fixtures-server.ts'

const scale = Number(process.env['PULSE_TEST_SCALE'] ?? 1)
const isFull = scale >= 10
/** 50 clients for 5 seconds normally; the 1,000 and 5 minutes of R15 in the long tier. */
const CLIENTS = Math.round(50 * 20 ** Math.log10(scale))
const SECONDS = Math.round(5 * 60 ** Math.log10(scale))
const STALLED = CLIENTS / 10
/** Clients that use the documented protocol, and clients that measure delays. */
const PLAIN = CLIENTS / 10
const MEASURING = 20
/** The most bytes queued for one client: the limit and one frame beyond it. */
const MAX_QUEUED_BYTES = 2_500_000
const MB = 1024 * 1024

const inflate = promisify(inflateRaw)
let child: ChildProcess
let url: string
const sockets: WebSocket[] = []

beforeAll(async () => {
  child = spawn(
    process.execPath,
    ['--expose-gc', fileURLToPath(new URL('fixtures-server.ts', import.meta.url))],
    {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  )
  const [message] = (await once(child, 'message')) as [{ url: string }]
  url = message.url.replace('http', 'ws') + '/ws'
})
afterAll(() => {
  for (const socket of sockets) socket.terminate()
  child.kill()
})

async function figures(): Promise<CrowdFigures> {
  child.send('figures')
  const [answer] = (await once(child, 'message')) as [CrowdFigures]
  return answer
}

async function connect(delta: boolean, prepare = (_: WebSocket) => {}): Promise<WebSocket> {
  const socket = new WebSocket(url, delta ? [DELTA_PROTOCOL] : [], { maxPayload: 512 * MB })
  sockets.push(socket)
  socket.on('error', () => socket.terminate())
  prepare(socket)
  await once(socket, 'open')
  return socket
}

/** The delay from an update to its arrival, in ms. */
function measure(socket: WebSocket, delaysMs: number[]) {
  const reader = createWireReader()
  let order = Promise.resolve()
  const read = async (data: Buffer, arrivedAt: number) => {
    const change = reader.read(JSON.parse(String(await inflate(data))) as DeltaFrame)
    if (change === 'gap') throw new Error('a client that reads missed a frame')
    const at = change.changed.sources?.put.get('pve-1')?.lastSeen
    if (at !== undefined && !change.reset) delaysMs.push(arrivedAt - at)
  }
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    const arrivedAt = Date.now()
    if (isBinary) order = order.then(() => read(data, arrivedAt))
  })
  return () => order
}

const percentile = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)]!

/** Growth in MB per minute, by least squares. */
function slope(samples: readonly { at: number; rssBytes: number }[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const x = mean(samples.map(({ at }) => at))
  const y = mean(samples.map(({ rssBytes }) => rssBytes))
  const above = samples.reduce((sum, { at, rssBytes }) => sum + (at - x) * (rssBytes - y), 0)
  const below = samples.reduce((sum, { at }) => sum + (at - x) ** 2, 0)
  return ((above / below) * 60_000) / MB
}

test(
  `[R15] ${CLIENTS} clients, ${STALLED} of them never reading, ${SECONDS} s: a bounded queue each, and no other client suffers`,
  async () => {
    const { rssBytes: baseline } = await figures()
    const reading: WebSocket[] = []
    const stalled: WebSocket[] = []
    const delaysMs: number[] = []
    const measured: (() => Promise<void>)[] = []
    for (let n = 0; n < CLIENTS; n++) {
      const isStalled = n < STALLED
      const delta = isStalled ? n % 2 === 0 : n >= STALLED + PLAIN
      const measures = !isStalled && delta && measured.length < MEASURING
      const socket = await connect(delta, (opening) => {
        if (measures) measured.push(measure(opening, delaysMs))
      })
      ;(isStalled ? stalled : reading).push(socket)
      if (isStalled) socket.pause()
    }
    const from = await figures()
    const startedAt = Date.now()
    const samples: { at: number; rssBytes: number }[] = []
    let mostQueued = 0
    while (Date.now() - startedAt < SECONDS * 1_000) {
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      const { rssBytes, queued } = await figures()
      mostQueued = Math.max(mostQueued, ...queued)
      samples.push({ at: Date.now(), rssBytes })
    }
    const end = await figures()
    await Promise.all(measured.map((all) => all()))
    const most = Math.max(...samples.map(({ rssBytes }) => rssBytes))
    const settled = samples.slice(Math.floor(samples.length * 0.4))
    const p99 = percentile(delaysMs, 0.99)
    console.log(
      `R15: ${CLIENTS} clients, ${end.updates - from.updates} updates; RSS ${Math.round(baseline / MB)} MB alone, ` +
        `at most +${Math.round((most - baseline) / MB)} MB, ${slope(settled).toFixed(2)} MB/min; ` +
        `delay p50 ${percentile(delaysMs, 0.5)} ms, p99 ${p99} ms; at most ${mostQueued} bytes owed to one; ` +
        `${CLIENTS - end.clients} cut off`,
    )
    expect(mostQueued).toBeLessThan(MAX_QUEUED_BYTES)
    expect(reading.filter(({ readyState }) => readyState !== WebSocket.OPEN)).toHaveLength(0)
    expect(end.clients).toBeGreaterThanOrEqual(reading.length)
    expect(delaysMs.length).toBeGreaterThan(0)
    if (!isFull) return
    expect(most - baseline).toBeLessThan(150 * MB)
    expect(slope(settled)).toBeLessThan(1)
    expect(end.clients).toBe(reading.length)
  },
  SECONDS * 1_000 + 240_000,
)
