import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startLab } from '@pulse/lab'
import { fakeClock } from '@pulse/testkit'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { resolvesTo } from '../outbound/fixtures.ts'
import { within } from '../outbound/within.ts'
import { guardedFetch } from './outbound.ts'
import { within as limit } from '../../../../scripts/test-limits.ts'

const never = new AbortController().signal
const get = { method: 'GET', headers: {}, body: null, redirect: 'manual' } as const
let server: Server
let port: number
let asked: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.host}`)
    if (request.url === '/away') return response.writeHead(302, { location: '/there' }).end()
    if (request.url === '/silent') return undefined
    if (request.url === '/switch')
      return response.writeHead(101, { upgrade: 'x', connection: 'upgrade' }).end()
    if (request.url === '/half') {
      response.writeHead(200, { 'content-length': '9' }).write('half')
      return setImmediate(() => response.destroy())
    }
    if (request.url?.startsWith('/long/')) return response.end(' '.repeat(Number(request.url.slice(6))))
    return response.end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
beforeEach(() => {
  asked = []
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

test('[S11] a name is resolved once, and what is dialled is what was checked', async () => {
  const { names, resolve } = resolvesTo(['127.0.0.1'], ['169.254.169.254'])
  const fetch = guardedFetch({ loopback: true }, never, resolve)
  const response = await fetch(`http://localhost:${port}/`, get)
  expect(await response.json()).toEqual({})
  expect(names).toEqual(['localhost'])
  await expect(fetch(`http://localhost:${port}/`, get)).rejects.toThrow(/metadata/)
  expect(asked).toHaveLength(1)
})

test.each([
  ['the metadata service', ['169.254.169.254']],
  ['the metadata service in NAT64', ['64:ff9b::a9fe:a9fe']],
  ['several that may not be dialled', ['fe80::1', '169.254.169.254']],
  ['this machine', ['127.0.0.1']],
  ['this machine over IPv6', ['::1', '::ffff:127.0.0.1']],
  ['nothing', []],
])('[S11] a public name that resolves to %s is not called', async (_what, addresses) => {
  const { resolve } = resolvesTo(addresses)
  const call = guardedFetch({ loopback: false }, never, resolve)(`https://id.example.test:${port}/`, get)
  await expect(call).rejects.toThrow(/id\.example\.test is not called/)
  expect(asked).toEqual([])
})

test('[S11] of several addresses only the permitted ones are tried', async () => {
  const { resolve } = resolvesTo(['169.254.169.254', 'fe80::1', '127.0.0.1'])
  const response = await guardedFetch({ loopback: true }, never, resolve)(`http://localhost:${port}/`, get)
  expect(response.status).toBe(200)
})

test.each(['https://127.0.0.1', 'https://[::1]', 'https://169.254.169.254', 'http://127.0.0.1'])(
  '[S11] %s as it stands is not called for a provider elsewhere',
  async (origin) => {
    const call = guardedFetch({ loopback: false }, never)(`${origin}:${port}/`, get)
    await expect(call).rejects.toThrow(/is not called/)
    expect(asked).toEqual([])
  },
)

test('[S7] an answer has a megabyte at most', async () => {
  const fetch = guardedFetch({ loopback: true }, never)
  const most = 1024 * 1024
  expect(await (await fetch(`http://127.0.0.1:${port}/long/${most}`, get)).text()).toHaveLength(most)
  await expect(fetch(`http://127.0.0.1:${port}/long/${most + 1}`, get)).rejects.toThrow(/larger than 1 MB/)
})

test.each(['/half', '/switch'])('[S7] what ends as %s does is no answer', async (address) => {
  const call = guardedFetch({ loopback: true }, never)(`http://127.0.0.1:${port}${address}`, get)
  await expect(call).rejects.toThrow(`http://127.0.0.1:${port}`)
})

test('[S11] a redirect is handed back, not followed', async () => {
  const response = await guardedFetch({ loopback: true }, never)(`http://127.0.0.1:${port}/away`, get)
  expect(response.status).toBe(302)
  expect(asked).toEqual([`GET /away 127.0.0.1:${port}`])
})

test('[S18] an untrusted certificate is refused before anything is sent', async () => {
  const lab = await startLab({ nodes: 1, guests: 0 })
  try {
    const { url } = lab.clusters[0]!.nodes[0]!
    const call = guardedFetch({ loopback: true }, never)(`${url}/api2/json/version`, get)
    await expect(call).rejects.toThrow(/no answer \((UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED)/)
    expect(lab.requests().total).toBe(0)
  } finally {
    await lab.close()
  }
})

test('[S11] a proxy of the environment is not used', async () => {
  const proxy = 'http://127.0.0.1:9'
  for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'HTTPS_PROXY']) vi.stubEnv(name, proxy)
  vi.stubEnv('NODE_USE_ENV_PROXY', '1')
  try {
    const response = await guardedFetch({ loopback: true }, never)(`http://127.0.0.1:${port}/`, get)
    expect(response.status).toBe(200)
  } finally {
    vi.unstubAllEnvs()
  }
})

test('[S7] a call ends at the deadline, and says so', async () => {
  const clock = fakeClock()
  const call = within(clock, 15_000, (deadline) =>
    guardedFetch({ loopback: true }, deadline)(`http://127.0.0.1:${port}/silent`, { ...get, signal: never }),
  )
  const ended = expect(call).rejects.toThrow(`http://127.0.0.1:${port}: no answer within 15 s`)
  await vi.waitUntil(() => asked.length === 1, limit(30_000))
  await clock.advance(14_999)
  expect(clock.pending()).toBe(1)
  await clock.advance(1)
  await ended
})

test('[S7] a deadline leaves no timer behind', async () => {
  const clock = fakeClock()
  await within(clock, 15_000, () => Promise.resolve())
  expect(clock.pending()).toBe(0)
})
