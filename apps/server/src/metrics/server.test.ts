import { type Lab, startLab } from '@pulse/lab'
import { acceleratedClock } from '@pulse/testkit'
import fs from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { aReport } from '../docker/fixtures.ts'
import { isForOneProcess } from '../testing/database-of-tests.ts'
import { connectLive } from '../testing/live-client.ts'
import { addToken, steppedClock } from '../testing/people.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'
import { within } from '../../../../scripts/test-limits.ts'
import { estateMetrics } from './estate/index.ts'
import { hasPromtool, hostile, nothing, promtool, read } from './fixtures.ts'

const clock = steppedClock(acceleratedClock(8, Date.now()))
const env = { API_TOKENS: adminToken, PULSE_METRICS_ESTATE: 'true' }

let lab: Lab
let server: TestServer
let reader: Record<string, string>

/** Advances the clock, because a second request right after the first gets the same answer. */
async function scrape(headers = reader) {
  clock.pass(1_000)
  const { status, text } = await server.as(headers)('GET', '/metrics')
  expect(status).toBe(200)
  return text
}

beforeAll(async () => {
  lab = await startLab({
    base: '127.199.81',
    nodes: 2,
    guests: 6,
    pbs: 1,
    pmg: 1,
    ceph: true,
    authDelayMs: 0,
    loadPeriodMs: 0,
  })
  server = await startTestServer(clock, env)
  reader = (await addToken(server.call, { scopes: ['monitoring:read'] })).headers
  const [node] = lab.clusters[0]!.nodes
  const connect = async (
    type: string,
    { url, fingerprint }: { url: string; fingerprint: string },
    sign: object,
  ) => {
    const { status } = await server.call('POST', '/api/config/nodes', {
      type,
      name: type,
      host: url,
      fingerprint,
      ...sign,
    })
    expect(status).toBe(201)
  }
  await connect('pve', node!, { tokenName: lab.credentials.tokenId, tokenValue: lab.credentials.tokenSecret })
  await connect('pbs', lab.pbs[0]!, {
    tokenName: lab.pbs[0]!.credentials.tokenId,
    tokenValue: lab.pbs[0]!.credentials.tokenSecret,
  })
  await connect('pmg', lab.pmg[0]!, {
    user: lab.pmg[0]!.credentials.user,
    password: lab.pmg[0]!.credentials.password,
  })
  const agent = await addToken(server.call, { scopes: ['docker:report'], oneHost: true })
  const report = aReport({ id: 'dock1', host: { hostname: 'dock1', name: hostile } })
  expect((await server.as(agent.headers)('POST', '/api/agents/docker/report', report)).status).toBe(200)
  lab.control.patchGuest(101, { name: hostile })
  const webhook = { name: 'a "quoted" \\ name', url: 'http://127.0.0.1:9109/', service: 'generic' }
  await server.call('PUT', '/api/notifications/outbound', { allowedHosts: ['127.0.0.1'] })
  const added = await server.call('POST', '/api/notifications/webhooks', webhook)
  expect(added.status, added.text).toBe(200)
  await vi.waitFor(
    async () => {
      const metrics = read(await scrape())
      for (const name of [
        'guest_cpu_usage_ratio',
        'datastore_size_bytes',
        'mail_queue_messages',
        'ceph_size_bytes',
      ])
        expect(metrics.get(`pulse_${name}`)!.samples.length, name).toBeGreaterThan(0)
    },
    { timeout: within(90_000), interval: 100 },
  )
})
afterAll(async () => {
  await server.stop()
  await lab.close()
})

const ofEstate = new Set(estateMetrics.map((make) => make(nothing()).name))

describe('GET /metrics', () => {
  test.skipIf(!hasPromtool)(
    `promtool has nothing to say about it${hasPromtool ? '' : ' (skipped: no promtool)'}`,
    async () => expect(promtool(['check', 'metrics'], await scrape())).toBe(''),
  )

  test.skipIf(isForOneProcess('each process has metrics of its own part'))(
    'has metrics of Pulse itself and of its sources',
    async () => {
      const metrics = [...read(await scrape())]
      const own = metrics.filter(([name]) => !ofEstate.has(name))
      const silent = own.filter(([, { samples }]) => samples.length === 0).map(([name]) => name)
      // no message was sent, and none failed
      expect(silent.toSorted()).toEqual([
        'pulse_notification_failing_timestamp_seconds',
        'pulse_notification_sent_timestamp_seconds',
      ])
      expect(metrics.filter(([name]) => ofEstate.has(name))).toHaveLength(ofEstate.size)
    },
  )

  test.skipIf(isForOneProcess('each process counts its own API calls'))(
    'counts API calls by connection, with their names',
    async () => {
      const metrics = read(await scrape())
      const idOf = (kind: string) =>
        metrics
          .get('pulse_source_info')!
          .samples.find(([labels]) => labels.endsWith(`kind="${kind}"`))![0]
          .match(/id="([^"]+)"/)![1]
      for (const kind of ['pve', 'pbs', 'pmg']) {
        const value = (name: string) =>
          Number(metrics.get(name)!.samples.find(([labels]) => labels.includes(`"${idOf(kind)}"`))![1])
        expect(value('pulse_source_up')).toBe(1)
        expect(value('pulse_source_calls_total')).toBeGreaterThan(value('pulse_source_calls_failed_total'))
        expect(value('pulse_source_call_seconds_total')).toBeGreaterThan(0)
        expect(value('pulse_source_cycles_total')).toBeGreaterThan(0)
      }
      expect(Number(metrics.get('pulse_database_calls_total')!.samples[0]![1])).toBeGreaterThan(10)
      expect(metrics.get('pulse_agents')!.samples).toEqual([
        ['status="online"', '1'],
        ['status="offline"', '0'],
      ])
    },
  )

  test.skipIf(isForOneProcess('each process counts its own live clients'))(
    'counts live clients, and their bytes',
    async () => {
      const value = async (name: string) => Number(read(await scrape()).get(name)!.samples[0]![1])
      expect(await value('pulse_live_sent_bytes_total')).toBe(0)
      const live = await connectLive(server.url, { delta: true })
      await expect.poll(() => live.binaryBytes.length).toBeGreaterThan(0)
      const received = live.binaryBytes.reduce((sum, bytes) => sum + bytes, 0)
      expect(await value('pulse_live_clients')).toBe(1)
      expect(await value('pulse_live_frames_total')).toBeGreaterThan(0)
      expect(await value('pulse_live_sent_bytes_total')).toBeGreaterThanOrEqual(received)
      live.close()
      await expect.poll(() => value('pulse_live_clients')).toBe(0)
    },
  )

  test('counts answers by call: ids are not part of it, and unknown paths count as one', async () => {
    for (const path of ['/api/guests/metadata/made', '/api/guests/metadata/up', '/api/made', '/up'])
      await server.call('GET', path)
    const { samples } = read(await scrape()).get('pulse_http_requests_total')!
    const routes = samples.map(([labels]) => labels.match(/route="([^"]*)"/)![1])
    expect(routes).toEqual(expect.arrayContaining(['/metrics', '/api/guests/metadata/:guestId', 'other']))
    expect(samples.filter(([labels]) => /made|up"/.test(labels))).toEqual([])
  })

  test.skipIf(isForOneProcess('each process has metrics of its own part'))(
    'docs/prometheus.md lists every metric',
    async () => {
      const labelsOf = new Map(
        estateMetrics.map((make) => make(nothing())).map(({ name, labels }) => [name, labels]),
      )
      const rows = [...read(await scrape())].map(([name, { type, help, labels, samples }]) => {
        const known = labelsOf.get(name) ?? (samples.length > 0 ? labels : ['channel'])
        return [`\`${name}\``, type, known.map((label) => `\`${label}\``).join(', '), help]
      })
      const document = fs.readFileSync(new URL('../../../../docs/prometheus.md', import.meta.url), 'utf8')
      const listed = document
        .split('\n')
        .filter((line) => line.startsWith('| `'))
        .map((line) =>
          line
            .slice(1, -1)
            .split('|')
            .map((cell) => cell.trim()),
        )
      const byName = (some: string[][]) => some.toSorted(([a], [b]) => (a! < b! ? -1 : 1))
      expect(byName(listed)).toEqual(byName(rows))
    },
  )

  test('requires a token with read scope: as bearer, or in X-API-Token', async () => {
    const token = await addToken(server.call, { scopes: ['monitoring:read'] })
    const wrong = await addToken(server.call, { scopes: ['settings:read', 'docker:manage'] })
    const ask = async (headers: Record<string, string>) =>
      (await server.as(headers)('HEAD', '/metrics')).status
    expect(await ask(token.headers)).toBe(200)
    expect(await ask({ authorization: `Bearer ${token.token}` })).toBe(200)
    expect(await ask({})).toBe(401)
    expect(await ask({ authorization: 'Bearer wrong' })).toBe(401)
    expect(await ask(wrong.headers)).toBe(403)
  })

  test('is text of version 0.0.4, compressed on request; a HEAD request gets the headers', async () => {
    const get = (method: string, headers = {}) => server.as(reader)(method, '/metrics', undefined, headers)
    const type = 'text/plain; version=0.0.4; charset=utf-8'
    const plain = await get('GET')
    const packed = await get('GET', { 'accept-encoding': 'gzip' })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(plain.headers.get('content-encoding')).toBeNull()
    for (const { headers, text } of [plain, packed]) {
      expect(headers.get('content-type')).toBe(type)
      expect([...read(text).keys()]).toContain('pulse_build_info')
    }
    const head = await get('HEAD')
    expect([head.status, head.headers.get('content-type'), head.text]).toEqual([200, type, ''])
  })

  test('has no metrics of single machines unless they are switched on', async () => {
    await server.restart({ API_TOKENS: adminToken })
    const names = [...read(await scrape()).keys()]
    expect(names.filter((name) => ofEstate.has(name))).toEqual([])
    expect(names).toContain('pulse_source_up')
  })

  test('[facts/platform 7.3] a demonstration requires a token and masks hosts; a base path does not matter', async () => {
    await server.restart({ ...env, DEMO_MODE: 'true', PULSE_PUBLIC_URL: 'https://example.com/pulse' })
    for (const headers of [{}, { 'x-api-token': 'wrong' }])
      expect((await server.as(headers)('GET', '/metrics')).status).toBe(401)
    expect((await server.as(reader)('GET', '/pulse/metrics')).status).toBe(200)
    await vi.waitFor(async () => expect(await scrape()).toMatch(/^pulse_node_info{/m), {
      timeout: within(60_000),
      interval: 100,
    })
    expect(await scrape()).not.toContain('127.199.81')
  })
})
