import { type DockerHost, type PlainState, reportLimits } from '@pulse/contract'
import { createWireReader } from '@pulse/domain'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { connectLive } from '../testing/live-client.ts'
import { addToken } from '../testing/people.ts'
import { adminToken, asAdmin, startTestServer, type TestServer } from '../testing/server.ts'
import { aContainer, aReport } from '../docker/fixtures.ts'

const where = '/api/agents/docker/report'
let folder: string
let server: TestServer
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-agents-'))
  fs.writeFileSync(path.join(folder, 'pulse-docker-agent-linux-amd64'), 'the agent')
  fs.writeFileSync(path.join(folder, 'VERSION'), '5.1.0\n')
  fs.writeFileSync(path.join(folder, 'secret'), 'canary')
  server = await startTestServer(undefined, { API_TOKENS: adminToken, PULSE_AGENT_DIR: folder })
})
afterAll(async () => {
  await server.stop()
  fs.rmSync(folder, { recursive: true })
})

const newToken = () => addToken(server.call, { scopes: ['docker:report'], oneHost: true })
const state = async () => (await server.call('GET', '/api/state')).body as PlainState

/** Sends raw bytes instead of JSON. */
function send(
  body: Buffer,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: http.IncomingHttpHeaders }> {
  const all = {
    ...asAdmin,
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...headers,
  }
  return new Promise((resolve, reject) => {
    http
      .request(new URL(where, server.url), { method: 'POST', headers: all }, (response) => {
        response
          .resume()
          .once('end', () => resolve({ status: response.statusCode!, headers: response.headers }))
      })
      .on('error', reject)
      .end(body)
  })
}

describe('[facts/collection 3.1] an agent of v4.25, as it is', () => {
  test('reports, and both wires show what it says', async () => {
    const { token } = await newToken()
    const client = await connectLive(server.url, { delta: true })
    const both = {
      'x-api-token': token,
      authorization: `Bearer ${token}`,
      'user-agent': 'pulse-docker-agent/v4.25.0',
    }
    const answer = await server.as(both)('POST', where, {
      ...aReport({ id: 'plain' }),
      surprise: { of: ['it'] },
    })
    expect(answer).toMatchObject({ status: 200, body: { success: true, hostId: 'plain', containers: 1 } })
    expect(answer.headers.get('accept-encoding')).toBe('gzip')

    const reader = createWireReader()
    let read = 0
    const seen = new Map<string, DockerHost>()
    await expect
      .poll(
        () => {
          for (const frame of client.deltas.slice(read)) {
            const change = reader.read(frame)
            if (change === 'gap') throw new Error('a frame is missing')
            for (const [id, record] of change.changed.dockerHosts?.put ?? [])
              seen.set(id, record as DockerHost)
          }
          read = client.deltas.length
          return [...seen.values()].map(({ id, status }) => [id, status])
        },
        { timeout: within(5_000) },
      )
      .toContainEqual(['plain', 'online'])
    client.close()

    const { dockerHosts, connectionHealth } = await state()
    expect(dockerHosts.find(({ id }) => id === 'plain')).toMatchObject({
      hostname: 'dock1',
      status: 'online',
      uptimeSeconds: expect.any(Number),
      lastSeen: expect.any(Number),
      tokenLastUsedAt: expect.any(Number),
      containers: [{ name: 'web', cpuPercent: 12.5, uptimeSeconds: expect.any(Number) }],
    })
    expect(connectionHealth['docker-plain']).toBe(true)
  })

  test('gets a version that keeps it from replacing itself; ours gets the current one', async () => {
    const versionFor = async (agent: string) =>
      (await server.as({ 'user-agent': agent })('GET', '/api/agent/version')).body
    expect(await versionFor('pulse-docker-agent/v4.25.0')).toEqual({ version: 'dev' })
    expect(await versionFor('curl/8')).toEqual({ version: 'dev' })
    expect(await versionFor('pulse-agent/5.0.0')).toEqual({ version: '5.1.0' })
    expect((await server.as({})('GET', '/api/server/info')).body).toEqual({
      isDevelopment: expect.any(Boolean),
      version: expect.any(String),
    })
  })
})

describe('a body', () => {
  test('may be packed', async () => {
    const body = gzipSync(JSON.stringify(aReport({ id: 'packed' })))
    expect((await send(body, { 'content-encoding': 'gzip' })).status).toBe(200)
  })

  test('[facts/collection 65] of 1,000 containers is taken, packed or not', async () => {
    const labels = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`label.${n}`, 'x'.repeat(60)]))
    const containers = Array.from({ length: 1_000 }, (_, n) => aContainer({ name: `c${n}`, labels }))
    const text = Buffer.from(JSON.stringify(aReport({ id: 'large', containers })))
    expect(text.length).toBeGreaterThan(1_500_000)
    expect((await send(text)).status).toBe(200)
    expect((await send(gzipSync(text), { 'content-encoding': 'gzip' })).status).toBe(200)
  })

  const spaces = (bytes: number) => Buffer.alloc(bytes, ' ')
  const values = (one: string, count: number) =>
    Buffer.from(`[${Array.from({ length: count }, () => one).join(',')}]`)
  const gzip = { 'content-encoding': 'gzip' }
  test.each([
    ['larger than it may be', spaces(reportLimits.bodyBytes + 1), {}, 413],
    [
      'a bomb: small, and large when it is unpacked',
      gzipSync(spaces(reportLimits.inflatedBytes + 1)),
      gzip,
      413,
    ],
    ['of more values than any host has', gzipSync(values('[]', 300_000)), gzip, 413],
    ['deeper than any report', Buffer.from('['.repeat(40) + ']'.repeat(40)), {}, 413],
    ['not packed, though it says so', Buffer.from('{}'), gzip, 400],
    ['packed, and cut short', gzipSync(spaces(1_000)).subarray(0, 20), gzip, 400],
    ['packed in another way', Buffer.from('{}'), { 'content-encoding': 'br' }, 415],
    ['no JSON', Buffer.from('report'), {}, 400],
    ['empty', Buffer.alloc(0), {}, 400],
  ])('that is %s is refused', async (_what, body, headers, status) => {
    expect((await send(body, headers)).status).toBe(status)
    expect((await server.call('GET', '/api/health')).status).toBe(200)
  })

  test('[S13] whose labels reach for prototypes leaves them alone', async () => {
    const body = JSON.stringify(aReport({ id: 'proto' })).replace(
      '"labels":{',
      '"labels":{"__proto__":{"x":1},',
    )
    expect((await send(Buffer.from(body))).status).toBe(200)
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })
})

describe('[spec 2 §7] what an administrator does', () => {
  test('hides, stops and removes a host, each with its record', async () => {
    const { headers } = await newToken()
    const agent = server.as(headers)
    await agent('POST', where, aReport({ id: 'acted' }))
    const host = '/api/agents/docker/hosts/acted'
    expect((await server.call('DELETE', `${host}?hide=true`)).body).toMatchObject({
      success: true,
      hostId: 'acted',
    })
    expect((await server.call('PUT', `${host}/unhide`)).status).toBe(200)
    expect((await server.call('PUT', `${host}/pending-uninstall`)).status).toBe(200)
    const { body } = await server.call('DELETE', host)
    const { command } = body as { command: { id: string } }
    expect(body).toMatchObject({ success: true, command: { status: 'queued' } })
    expect((await agent('POST', where, aReport({ id: 'acted' }))).body).toMatchObject({
      commands: [{ type: 'stop' }],
    })
    const done = { hostId: 'acted', status: 'completed' }
    const ack = await agent('POST', `/api/agents/docker/commands/${command.id}/ack`, done)
    expect(ack).toMatchObject({ status: 200, body: { success: true, command: { status: 'completed' } } })
    expect(await agent('POST', where, aReport({ id: 'acted' }))).toMatchObject({
      status: 410,
      body: { code: 'docker_host_removed' },
    })
    expect((await server.call('GET', '/api/agents/docker/setup')).body).toMatchObject({
      removed: [{ hostId: 'acted', name: 'dock1' }],
      agentVersion: '5.1.0',
    })
    expect((await server.call('POST', `${host}/allow-reenroll`)).status).toBe(200)
    expect((await agent('POST', where, aReport({ id: 'acted' }))).status).toBe(200)
    const { body: audit } = await server.call('GET', '/api/security/audit?limit=50')
    const events = (audit as { events: { event: string }[] }).events.map(({ event }) => event)
    for (const event of [
      'docker_host_enrolled',
      'docker_stop_requested',
      'docker_stop_ended',
      'docker_report_refused',
    ])
      expect(events).toContain(event)
  })

  test('hears of an answer as often as a host may speak, and no oftener', async () => {
    const { headers } = await newToken()
    const agent = server.as(headers)
    const ack = () => agent('POST', '/api/agents/docker/commands/x/ack', { hostId: 'y' })
    const answers = await Promise.all(Array.from({ length: 40 }, ack))
    expect([...new Set(answers.map(({ status }) => status))].toSorted()).toEqual([400, 429])
  })

  test('[facts/collection 3.8] prepares a token, which takes the place of the one before', async () => {
    await server.as((await newToken()).headers)('POST', where, aReport({ id: 'prepared' }))
    const { body } = await server.call('POST', '/api/diagnostics/docker/prepare-token', {
      hostId: 'prepared',
    })
    const { token, installCommand, systemdServiceSnippet, pulseURL } = body as Record<string, string>
    expect(body).toMatchObject({
      success: true,
      record: {
        name: 'Docker host: dock1',
        scopes: ['docker:report'],
        oneHost: true,
        boundHost: { id: 'prepared' },
      },
      host: { id: 'prepared', name: 'dock1' },
    })
    for (const text of [installCommand, systemdServiceSnippet]) {
      expect(text).toContain(token)
      expect(text).toContain(pulseURL)
    }
    const agent = server.as({ 'x-api-token': token! })
    expect((await agent('POST', where, aReport({ id: 'prepared' }))).status).toBe(200)
    expect((await agent('POST', where, aReport({ id: 'elsewhere' }))).status).toBe(403)
    expect(
      (await server.call('POST', '/api/diagnostics/docker/prepare-token', { hostId: 'unknown' })).status,
    ).toBe(404)
  })

  test('[facts/platform 13] sees in the diagnostics how agents are doing', async () => {
    const { body } = await server.call('GET', '/api/diagnostics')
    expect(body).toMatchObject({
      dockerAgents: { hostsTotal: expect.any(Number), recommendedAgentVersion: '5.1.0' },
    })
  })
})

test('a host is meant by its identity, whatever signs are in it', async () => {
  const ids = ['%2F', '%zz', 'a?b#c;d', '__proto__', '%'.repeat(128)]
  const { headers } = await addToken(server.call, { scopes: ['docker:report'] })
  for (const id of ids)
    expect((await server.as(headers)('POST', where, aReport({ id }))).status, id).toBe(200)
  for (const id of ids) {
    const { body } = await server.call('PUT', `/api/agents/docker/hosts/${encodeURIComponent(id)}/unhide`)
    expect(body).toMatchObject({ success: true, hostId: id })
  }
})

describe('[S19] the agent is handed out', () => {
  const get = (query: string, method = 'GET') => server.as({})(method, `/download/pulse-docker-agent${query}`)
  const sum = createHash('sha256').update('the agent').digest('hex')

  test.each(['linux-amd64', 'amd64', 'x86_64'])('to %s, with its checksum', async (arch) => {
    const { status, text, headers } = await get(`?arch=${arch}`)
    expect({ status, text }).toEqual({ status: 200, text: 'the agent' })
    expect(headers.get('x-checksum-sha256')).toBe(sum)
    expect((await get(`?arch=${arch}&part=sha256`)).text).toBe(`${sum}  pulse-docker-agent-linux-amd64\n`)
  })

  test('[S5] four at a time: the file is large, and strangers may ask for it', async () => {
    const large = path.join(folder, 'pulse-docker-agent-linux-amd64')
    const before = fs.readFileSync(large)
    fs.writeFileSync(large, Buffer.alloc(64_000_000))
    const stopped = new AbortController()
    const start = () =>
      fetch(`${server.url}/download/pulse-docker-agent?arch=amd64`, { signal: stopped.signal })
    const open = []
    for (let n = 0; n < 4; n++) open.push(await start())
    expect(open.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const refused = await start()
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('30')
    expect((await get('?arch=amd64&part=sha256')).status).toBe(200)
    stopped.abort()
    fs.writeFileSync(large, before)
    await expect.poll(async () => (await get('?arch=amd64')).status).toBe(200)
  })

  test('to a HEAD request', async () => {
    const { status, text, headers } = await get('?arch=linux-amd64', 'HEAD')
    expect({ status, text }).toEqual({ status: 200, text: '' })
    expect(headers.get('content-length')).toBe('9')
    expect(headers.get('x-checksum-sha256')).toBe(sum)
  })

  test.each([
    ['linux-armv7', /32-bit ARM/],
    ['armhf', /32-bit ARM/],
    ['linux-arm64', /built without/],
    ['windows', /no agent for this platform/],
    ['', /\?arch=/],
    ['../secret', /no agent/],
    ['%2e%2e%2fsecret', /no agent/],
    ['constructor', /no agent/],
  ])('not as %j, with the reason', async (arch, reason) => {
    const { status, body, text } = await get(`?arch=${arch}`)
    expect(status).toBe(404)
    expect((body as { error: string }).error).toMatch(reason)
    expect(text).not.toContain('canary')
  })

  test('with the list of published files, where it is signed', async () => {
    expect((await get('?part=list')).body).toMatchObject({
      code: 'not_found',
      error: expect.stringContaining('not signed'),
    })
    fs.writeFileSync(path.join(folder, 'agents.json'), '{"name":"pulse-docker-agent"}\n')
    fs.writeFileSync(path.join(folder, 'agents.json.sig'), Buffer.alloc(64, 7))
    const { status, text, headers } = await get('?part=list')
    expect({ status, text }).toEqual({ status: 200, text: '{"name":"pulse-docker-agent"}\n' })
    expect(headers.get('x-signature')).toBe(Buffer.alloc(64, 7).toString('base64'))
  })

  test('by a script that is not cached and contains the checksums', async () => {
    const { status, text, headers } = await server.as({})('GET', '/install-docker-agent.sh')
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text).toMatch(/^#!/)
    expect(text).toContain(sum)
  })
})
