import { createSelfSigned, startLab, type FaultSpec, type Lab } from '@pulse/lab'
import { acceleratedClock } from '@pulse/testkit'
import https from 'node:https'
import net from 'node:net'
import tls from 'node:tls'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { normalFingerprint, readFingerprint, type Trust } from './certificate.ts'
import { openHttps, type HttpsHost } from './https.ts'
import type { SourceError } from './source-error.ts'

const clock = acceleratedClock(20)
const limits = { headersMs: 2_000, totalMs: 4_000, maxBytes: 1024 * 1024 }
let lab: Lab
let url: string
const opened: HttpsHost[] = []

beforeAll(async () => {
  lab = await startLab({ nodes: 1, guests: 3, authDelayMs: 0 })
  url = lab.clusters[0]!.nodes[0]!.url
})
afterEach(async () => {
  lab.control.clearFaults()
  await Promise.all(opened.splice(0).map((host) => host.close()))
})
afterAll(() => lab.close())

function open(trust: Trust = { by: 'nothing' }, at = url): HttpsHost {
  const host = openHttps(at, 'pve1', trust, clock)
  opened.push(host)
  return host
}
const version = (host: HttpsHost, change: object = {}) => {
  const { tokenId, tokenSecret } = lab.credentials
  const headers = { authorization: `PVEAPIToken=${tokenId}=${tokenSecret}` }
  return host.send({ path: '/api2/json/version', headers, ...limits, ...change })
}

test('an answer comes with its status, its reason phrase and its whole body', async () => {
  const answer = await version(open())
  expect(answer).toMatchObject({ status: 200, reason: 'OK' })
  expect(JSON.parse(answer.body.toString())).toHaveProperty('data.version')
  const missing = await open().send({ path: '/api2/json/version', headers: {}, ...limits })
  expect(missing).toMatchObject({ status: 401, reason: 'No ticket' })
})

test.each<[string, FaultSpec, RegExp, string]>([
  ['silence', { kind: 'hang' }, /^pve1: no answer to \/api2\/json\/version within 2 s$/, 'timeout'],
  ['a few bytes a second', { kind: 'dribble', bytesPerSecond: 20 }, /within 4 s$/, 'timeout'],
  ['a gigabyte', { kind: 'huge' }, /larger than 1 MB$/, 'too_large'],
  ['a reset', { kind: 'reset' }, /closed the connection$/, 'unreachable'],
])('[R19] %s ends as an error in time', async (_case, fault, message, code) => {
  lab.control.addFault(fault)
  const startedAt = clock.now()
  await expect(version(open())).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message) as string,
  })
  expect(clock.now() - startedAt).toBeLessThan(8_000)
})

test('[S13] an answer in crumbs is read while they are few, and held by its size', async () => {
  lab.control.addFault({ kind: 'crumbs', bytes: 700 })
  const joined = vi.spyOn(Buffer, 'concat')
  const answer = await version(open())
  expect(answer.body.toString().trimStart()).toMatch(/^\{"data"/)
  expect(answer.body.length - answer.body.toString().trimStart().length).toBe(700)
  // Without joining, each piece would use some hundred bytes more.
  expect(Math.max(...joined.mock.calls.map(([pieces]) => pieces.length))).toBeLessThanOrEqual(300)
})

test('[S13] an answer in crumbs without end is given up: each of them costs a turn', async () => {
  lab.control.addFault({ kind: 'crumbs', bytes: 100_000 })
  await expect(version(open())).rejects.toMatchObject({
    code: 'bad_answer',
    message: expect.stringMatching(
      /^pve1: the answer to \/api2\/json\/version arrives in too many small chunks: 20\d\d for \d+ bytes$/,
    ) as string,
  })
})

test('[S13] so is one that never begins but says again and again that it will', async () => {
  const { keyPem, certPem } = await createSelfSigned('pve1', '127.0.0.1', 'Test', Date.now())
  const server = tls.createServer({ key: keyPem, cert: certPem }, (socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(5_000)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  await expect(version(open(undefined, `https://127.0.0.1:${port}`))).rejects.toMatchObject({
    code: 'bad_answer',
  })
  server.close()
})

test('[design 9] of what is taken as it comes in, others have their turn every 200 KB at most', async () => {
  const { keyPem, certPem } = await createSelfSigned('pve1', '127.0.0.1', 'Test', Date.now())
  const server = https.createServer({ key: keyPem, cert: certPem }, (_, response) =>
    response.end(Buffer.alloc(4 * 1024 * 1024)),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  let taken = 0
  let inTurn = 0
  let most = 0
  let isOver = false
  const turn = () => {
    inTurn = 0
    if (!isOver) setImmediate(turn)
  }
  turn()
  const sink = (piece: Buffer) => {
    taken += piece.length
    most = Math.max(most, (inTurn += piece.length))
  }
  const answer = await version(open(undefined, `https://127.0.0.1:${port}`), { sink, maxBytes: 8 << 20 })
  isOver = true
  expect(taken).toBe(4 * 1024 * 1024)
  expect(most).toBeLessThanOrEqual(200 * 1024)
  expect(answer.body).toHaveLength(0)
  server.close()
})

test('giving up ends the call', async () => {
  lab.control.addFault({ kind: 'hang' })
  const abort = new AbortController()
  const answer = version(open(), { signal: abort.signal })
  clock.after(200, () => abort.abort())
  await expect(answer).rejects.toMatchObject({ code: 'timeout' })
})

test('[S18] a pinned certificate is accepted in any notation, on every connection', async () => {
  const { fingerprint } = lab.clusters[0]!.nodes[0]!
  for (const pin of [fingerprint, normalFingerprint(fingerprint), fingerprint.toLowerCase()]) {
    const host = open({ by: 'fingerprint', fingerprint: pin })
    await Promise.all([version(host), version(host), version(host)])
    expect(host.fingerprint).toBe(normalFingerprint(fingerprint))
  }
})

test('[S18] another certificate is refused before a single request arrives', async () => {
  const host = open({ by: 'fingerprint', fingerprint: 'ab'.repeat(32) })
  lab.control.resetRequests()
  await expect(version(host)).rejects.toMatchObject({
    code: 'fingerprint',
    message: expect.stringMatching(
      /^pve1: certificate fingerprint does not match: expected AB:AB:.*, got [0-9A-F:]{95}; update the fingerprint/,
    ) as string,
  })
  expect(lab.requests().total).toBe(0)
})

test('[S18] counted at the socket: on a mismatch nothing follows the handshake', async () => {
  const sent = async (trust: Trust) => {
    let bytes = 0
    const target = new URL(url)
    const relay = net.createServer((client) => {
      const upstream = net.connect(Number(target.port), target.hostname)
      client.on('data', (chunk) => (bytes += chunk.length))
      client.pipe(upstream).pipe(client)
      for (const socket of [client, upstream]) socket.on('error', () => socket.destroy())
    })
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
    const { port } = relay.address() as net.AddressInfo
    await version(open(trust, `https://127.0.0.1:${port}`), {
      headers: { 'x-filler': 'x'.repeat(10_000) },
    }).catch(() => {})
    relay.close()
    return bytes
  }
  const { fingerprint } = lab.clusters[0]!.nodes[0]!
  expect(await sent({ by: 'fingerprint', fingerprint })).toBeGreaterThan(10_000)
  expect(await sent({ by: 'fingerprint', fingerprint: 'ab'.repeat(32) })).toBeLessThan(2_500)
})

test('without a pin a self-signed certificate is refused, with the remedy', async () => {
  await expect(version(open({ by: 'system' }))).rejects.toMatchObject({
    code: 'tls',
    message: expect.stringMatching(/enter its fingerprint to trust it/) as string,
  })
})

test('a closed port is unreachable', async () => {
  await expect(version(open(undefined, 'https://127.255.255.254:8006'))).rejects.toMatchObject({
    code: 'unreachable',
    message: 'pve1: connection refused; check address and port',
  })
})

test('a port that speaks another protocol is recognized', async () => {
  const server = net.createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  await expect(version(open(undefined, `https://127.0.0.1:${port}`))).rejects.toMatchObject({
    code: 'tls',
    message: expect.stringMatching(/does this port speak HTTPS\?/) as string,
  })
  server.close()
})

test('a host that accepts and then says nothing at all is unreachable', async () => {
  const sockets: net.Socket[] = []
  const server = net.createServer((socket) => void sockets.push(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  const host = open(undefined, `https://127.0.0.1:${port}`)
  await expect(version(host)).rejects.toMatchObject({ code: 'unreachable' })
  for (const socket of sockets) socket.destroy()
  server.close()
})

test('waiting for a connection is not held against the call: each limit counts its own part', async () => {
  lab.control.addFault({ kind: 'latency', ms: 75 }) // 1.5 s
  const host = open()
  await version(host)
  expect(host.room).toBe(6)
  const calls = Array.from({ length: 12 }, () => version(host))
  expect(host.room).toBeLessThanOrEqual(0)
  for (const { status } of await Promise.all(calls)) expect(status).toBe(200)
  lab.control.clearFaults()
  lab.control.addFault({ kind: 'hang' })
  const tired = Array.from({ length: 12 }, () => version(host, { waitMs: 500 }))
  const ends = await Promise.allSettled(tired)
  const refused = ends
    .map((end) => (end.status === 'rejected' ? (end.reason as SourceError) : undefined))
    .filter((reason) => reason?.code === 'crowded')
  expect(refused).toHaveLength(6)
  expect(refused[0]).toMatchObject({
    message: 'pve1: earlier calls kept /api2/json/version waiting too long',
  })
})

test('the certificate of a host can be read whether it is trusted or not', async () => {
  const { fingerprint } = lab.clusters[0]!.nodes[0]!
  expect(await readFingerprint(new URL(url), clock, 20_000)).toBe(normalFingerprint(fingerprint))
  expect(await readFingerprint(new URL('https://127.255.255.254:8006'), clock, 20_000)).toBeUndefined()
})
