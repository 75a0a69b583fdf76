import { type Connection, Secret } from '@pulse/domain'
import { createSelfSigned } from '@pulse/lab'
import { acceleratedClock } from '@pulse/testkit'
import net from 'node:net'
import tls from 'node:tls'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, type TestContext, vi } from 'vitest'
import { normalFingerprint } from './certificate.ts'
import { products } from './proxmox/product.ts'
import { within } from '../../../../scripts/test-limits.ts'

type Certificate = Awaited<ReturnType<typeof createSelfSigned>>

const address = '127.0.0.1'
const year = 365 * 86_400_000
const certificateOf = (name: string, at = address, ageYears = 0) =>
  createSelfSigned(name, at, 'Proxmox', Date.now() - ageYears * year)

let own: Certificate
let other: Certificate
/** Certificates of issuers that this machine trusts. */
let trusted: Certificate
let expired: Certificate
let elsewhere: Certificate
const authorities = tls.getCACertificates('default')
let collectors: typeof import('./index.ts').collectors

beforeAll(async () => {
  ;[own, other, trusted, expired, elsewhere] = await Promise.all([
    certificateOf('own'),
    certificateOf('other'),
    certificateOf('trusted'),
    certificateOf('expired', address, 11),
    certificateOf('elsewhere', '127.0.0.9'),
  ])
  const known = [trusted, expired, elsewhere].map(({ certPem }) => certPem)
  tls.setDefaultCACertificates([...authorities, ...known])
  // A thread reads the trusted CAs once, with its first connection. This file needs its own set of them.
  vi.resetModules()
  ;({ collectors } = await import('./index.ts'))
})
afterAll(() => {
  tls.setDefaultCACertificates(authorities)
  vi.resetModules()
})

interface Bait {
  url: string
  /** decrypted data received from clients */
  heard: () => string
  handshakes: () => number
  show(certificate: Certificate): void
}

/** A host that answers everything with an empty list and records every byte it receives. */
async function bait(
  { onTestFinished }: TestContext,
  certificate: Certificate,
  options: tls.TlsOptions = {},
): Promise<Bait> {
  let heard = ''
  let handshakes = 0
  const sockets = new Set<net.Socket>()
  const server = tls.createServer({ cert: certificate.certPem, key: certificate.keyPem, ...options })
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
  })
  const note = () => handshakes++
  server.on('secureConnection', note).on('tlsClientError', note)
  server.on('secureConnection', (socket) => {
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1')
      socket.write(
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\n\r\n{"data":[]}',
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `https://${address}:${(server.address() as net.AddressInfo).port}`,
    heard: () => heard,
    handshakes: () => handshakes,
    show({ certPem, keyPem }) {
      server.setSecureContext({ cert: certPem, key: keyPem, ...options })
      for (const socket of sockets) socket.destroy()
    },
  }
}

const password = 'canary-geheim-77'
const edges = { clock: acceleratedClock(40), log: pino({ level: 'silent' }) }
const kinds = ['pve', 'pbs', 'pmg'] as const

function connectionTo(host: Bait, kind: (typeof kinds)[number], change: Partial<Connection>): Connection {
  return {
    id: 'c1',
    kind,
    name: 'main',
    host: host.url,
    auth: { type: 'password', user: `root@${products[kind].realm}`, password: new Secret(password) },
    verifySSL: true,
    flags: {},
    ...change,
  }
}

/** Waits as long as a retry takes. */
const aWhile = () => new Promise<void>((resolve) => void edges.clock.after(12_000, resolve))

/** Tests the connection, and watches it until there is a result and a retry. */
async function meet(
  context: TestContext,
  host: Bait,
  kind: (typeof kinds)[number],
  change: Partial<Connection>,
) {
  const connection = connectionTo(host, kind, change)
  const tested = await collectors[kind].test(connection, edges)
  let error = ''
  const running = collectors[kind].start(connection, {
    ...edges,
    observe: ({ state }) => void (error = state?.error ?? error),
    learned: () => {},
  })
  await context.expect.poll(() => error !== '' || host.heard() !== '', { timeout: within(30_000) }).toBe(true)
  await aWhile()
  await running.stop()
  return { tested, error }
}

const pinned = ({ fingerprint }: Certificate) => ({ fingerprint: normalFingerprint(fingerprint) })

test.concurrent.for(kinds)(
  '%s: with the right pin the password is sent: the bait does hear it',
  async (kind, context) => {
    const host = await bait(context, own)
    await meet(context, host, kind, pinned(own))
    expect(host.heard()).toContain(encodeURIComponent(password))
  },
)

const versions: tls.TlsOptions[] = [{ maxVersion: 'TLSv1.2' }, { minVersion: 'TLSv1.3' }]
const cases = kinds.flatMap((kind) => versions.map((options) => ({ kind, options })))

test.concurrent.for(cases)(
  '[S18] a wrong fingerprint: $kind hears nothing, $options',
  async ({ kind, options }, context) => {
    const host = await bait(context, own, options)
    const { tested, error } = await meet(context, host, kind, { fingerprint: 'ab'.repeat(32) })
    expect([tested.message, error].join()).toMatch(/fingerprint does not match.*fingerprint does not match/)
    expect(host.handshakes()).toBeGreaterThan(1)
    expect(host.heard()).toBe('')
  },
)

test.concurrent.for(cases)(
  "[S18] another host's certificate: $kind hears nothing, $options",
  async (one, context) => {
    const host = await bait(context, other, one.options)
    const { error } = await meet(context, host, one.kind, pinned(own))
    expect(error).toMatch(/fingerprint does not match/)
    expect(host.heard()).toBe('')
  },
)

test.concurrent.for(cases)(
  '[S18] a certificate that changes while watched: $kind hears no more, $options',
  async (one, context) => {
    const host = await bait(context, own, one.options)
    const seen: string[] = []
    const running = collectors[one.kind].start(connectionTo(host, one.kind, pinned(own)), {
      ...edges,
      observe: ({ state }) => void seen.push(state?.error ?? ''),
      learned: () => {},
    })
    context.onTestFinished(() => running.stop())
    await context.expect
      .poll(() => host.heard(), { timeout: within(30_000) })
      .toContain(encodeURIComponent(password))
    host.show(other)
    const before = host.heard()
    await context.expect
      .poll(() => seen.some((error) => /fingerprint does not match/.test(error)), { timeout: within(30_000) })
      .toBe(true)
    await aWhile()
    expect(host.heard()).toBe(before)
  },
)

test.concurrent.for(kinds)(
  '%s: a certificate of a known authority is enough without a pin',
  async (kind, context) => {
    const host = await bait(context, trusted)
    await meet(context, host, kind, {})
    expect(host.heard()).toContain(encodeURIComponent(password))
  },
)

test.concurrent.for(cases)(
  '[S18] an expired certificate of a known authority: $kind hears nothing, $options',
  async (one, context) => {
    const host = await bait(context, expired, one.options)
    const { error } = await meet(context, host, one.kind, {})
    expect(error).toMatch(/certificate has expired/)
    expect(host.heard()).toBe('')
  },
)

test.concurrent(
  "[S18] a known authority's certificate for another name: nothing is heard",
  async (context) => {
    const host = await bait(context, elsewhere)
    const relay = await relayTo(context, host)
    expect((await meet(context, { ...host, url: relay }, 'pve', {})).error).toMatch(
      /certificate is for another host name/,
    )
    expect(host.heard()).toBe('')
  },
)

const oldest = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
test.concurrent.for(kinds.flatMap((kind) => ['pinned', 'unchecked'].map((by) => [kind, by] as const)))(
  '[S18] TLS below 1.2: %s, %s, hears nothing',
  async ([kind, by], context) => {
    const host = await bait(context, own, oldest)
    await new Promise<void>((resolve, reject) => {
      const { port } = new URL(host.url)
      const socket = tls.connect(Number(port), address, { ...oldest, rejectUnauthorized: false })
      socket.once('error', reject).once('secureConnect', () => {
        expect(socket.getProtocol()).toBe('TLSv1.1')
        socket.destroy()
        resolve()
      })
    })
    const { tested, error } = await meet(
      context,
      host,
      kind,
      by === 'pinned' ? pinned(own) : { verifySSL: false },
    )
    expect(tested.status).toBe('error')
    expect(error).toMatch(/no secure connection/)
    expect(host.heard()).toBe('')
  },
)

/** The same host at an address that its certificate does not cover. */
async function relayTo({ onTestFinished }: TestContext, host: Bait): Promise<string> {
  const { port } = new URL(host.url)
  const relay = net.createServer((client) => {
    const upstream = net.connect(Number(port), address)
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.2', resolve))
  onTestFinished(() => void relay.close())
  return `https://127.0.0.2:${(relay.address() as net.AddressInfo).port}`
}
