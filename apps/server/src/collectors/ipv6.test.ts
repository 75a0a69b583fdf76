import { createSelfSigned } from '@pulse/lab'
import { acceleratedClock } from '@pulse/testkit'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readFingerprint, type Trust } from './certificate.ts'
import { openHttps } from './https.ts'

const clock = acceleratedClock(20)
const limits = { headersMs: 2_000, totalMs: 4_000, maxBytes: 1024 }
const heard: { host: string | undefined; servername: unknown }[] = []
let server: https.Server
let url: string
let fingerprint: string

beforeAll(async () => {
  const made = await createSelfSigned('pve1', '::1', 'Test', Date.now())
  fingerprint = made.fingerprint
  server = https.createServer({ key: made.keyPem, cert: made.certPem }, (request, answer) => {
    heard.push({ host: request.headers.host, servername: (request.socket as TLSSocket).servername })
    answer.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '::1', resolve))
  url = `https://[::1]:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

test.each<[string, () => Trust]>([
  ['unchecked', () => ({ by: 'nothing' })],
  ['pinned', () => ({ by: 'fingerprint', fingerprint })],
])(
  'a host by its IPv6 address, %s: brackets in the request, no name in the handshake',
  async (_how, trust) => {
    heard.length = 0
    const host = openHttps(url, 'pve1', trust(), clock)
    expect(await host.send({ path: '/', headers: {}, ...limits })).toMatchObject({ status: 200 })
    expect(heard).toEqual([{ host: new URL(url).host, servername: false }])
    await host.close()
  },
)

test('one with an untrusted certificate is refused as such', async () => {
  const host = openHttps(url, 'pve1', { by: 'system' }, clock)
  await expect(host.send({ path: '/', headers: {}, ...limits })).rejects.toMatchObject({ code: 'tls' })
  await host.close()
})

test('its certificate can be read', async () => {
  expect(await readFingerprint(new URL(url), clock, 20_000)).toBe(
    fingerprint.replaceAll(':', '').toLowerCase(),
  )
})
