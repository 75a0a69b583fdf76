import { errorCodes } from '@pulse/contract'
import fs from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Credential,
  endpoints,
  makeCredentials,
  matrixEnv,
  nameOf,
  violations,
} from '../testing/access-matrix.ts'
import { isForOneProcess } from '../testing/database-of-tests.ts'
import { steppedClock } from '../testing/people.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

/**
 * Reviewed by hand, with the reason for each call. At most ten are anything but downloads for agents and
 * their scripts.
 */
const publicCalls: Record<string, string> = {
  'GET /api/agent/version': 'agents of 4.x ask without a token',
  'GET /api/health': 'monitors and container engines ask it; one word for strangers',
  'GET /api/health/ready': 'load balancers ask it; the roles of the process and whether it leads',
  'GET /api/oidc/callback': 'the provider sends the browser here',
  'GET /api/security/status': 'the page decides by it whether to show sign-in or setup',
  'GET /api/server/info': 'agents of 4.x ask without a token',
  'GET /api/setup-script': 'fetched on a node; checks its setup code itself',
  'GET /api/version': 'the sign-in page and 4.x clients show it',
  'GET /download/pulse-docker-agent': 'the install script fetches it; limited in rate and number',
  'GET /install-docker-agent.sh': 'fetched on a container host; holds no secret',
  'POST /api/auto-register': 'the setup script; checks its setup code itself',
  'POST /api/login': 'it is the sign-in',
  'POST /api/oidc/login': 'it is the sign-in',
  'POST /api/security/quick-setup': 'before there is an account; takes the one-time token',
}

const clock = steppedClock()
let server: TestServer
let credentials: Credential[]
beforeAll(async () => {
  server = await startTestServer(clock, matrixEnv)
  credentials = await makeCredentials(server, clock)
})
afterAll(() => server.stop())

const isSkipped = isForOneProcess('it makes many thousand calls, each through two processes')

describe.skipIf(isSkipped)('[S1] the inventory of calls', () => {
  test('exactly the reviewed calls are public', () => {
    const found = endpoints.filter((e) => e.access === 'public').map(nameOf)
    console.log(`public calls: ${found.toSorted().join(', ')}`)
    expect(found.toSorted()).toEqual(Object.keys(publicCalls))
    const forAgents = ['/api/agent/', '/api/server/info', '/download/', '/install-']
    expect(found.filter((name) => !forAgents.some((part) => name.includes(part))).length).toBeLessThanOrEqual(
      10,
    )
  })

  test('what other versions of an agent or a page may send is read leniently, by declared rule', () => {
    const patient = endpoints.filter(({ unknownFields }) => unknownFields === 'ignored')
    expect(patient.map(nameOf).toSorted()).toEqual([
      'POST /api/agents/docker/commands/:id/ack',
      'POST /api/agents/docker/report',
      'POST /api/history/back-test',
      'PUT /api/alerts/config',
    ])
  })

  test('[facts/platform 7.3] in a demonstration nothing is taken but what agents report', () => {
    const taken = endpoints.filter(({ takenInDemo }) => takenInDemo)
    expect(taken.map(nameOf).toSorted()).toEqual([
      'POST /api/agents/docker/commands/:id/ack',
      'POST /api/agents/docker/report',
    ])
    // only a token identifies an agent
    for (const { scope } of taken) expect(scope).toBe('docker:report')
  })

  test('every other call refuses unknown fields, and what changes something leaves a record', () => {
    for (const { method, path, body, audit, unknownFields } of endpoints) {
      if (method !== 'GET') expect(audit, path).toBeDefined()
      if (unknownFields === 'ignored') continue
      const result = body?.safeParse({ surprise: true })
      if (result) expect(JSON.stringify(result.error?.issues), path).toMatch(/unrecognized_keys|surprise/)
    }
  })

  test('every call of the contract is served', async () => {
    for (const endpoint of endpoints) {
      clock.pass(7_000)
      const where = endpoint.path.replace(/:\w+/g, 'x')
      const body = endpoint.method === 'GET' ? undefined : { surprise: true }
      const { status, text } = await server.call(endpoint.method, where, body)
      expect(status, nameOf(endpoint)).not.toBe(405)
      expect(status, nameOf(endpoint)).toBeLessThan(500)
      if (status === 404) expect(text).not.toContain('There is no such call')
    }
  })

  test('every call with every credential does what the table declares', async () => {
    console.log(`${endpoints.length} calls x ${credentials.length} credentials`)
    expect(await violations(server, credentials, clock)).toEqual([])
  })

  const strangers = () => credentials.filter(({ name }) => ['no credential', 'a viewer'].includes(name))
  const closed = endpoints.filter((e) => e.access !== 'public')
  // Two calls never share both a row and a column. If opening one call also opened another, a row or a column
  // would show it.
  const side = Math.ceil(Math.sqrt(closed.length))
  const rowsAndColumns = [
    ...Map.groupBy(closed, (e) => `row ${Math.floor(closed.indexOf(e) / side)}`),
    ...Map.groupBy(closed, (e) => `column ${closed.indexOf(e) % side}`),
  ]
  test.each(rowsAndColumns)(
    'what is made public by mistake, %s of the table: the check reports those calls and no other',
    async (_, opened) => {
      const before = opened.map(({ access }) => access)
      for (const endpoint of opened) endpoint.access = 'public'
      try {
        const found = await violations(server, strangers(), clock)
        expect(new Set(found.map((row) => row.split(', ')[0]))).toEqual(new Set(opened.map(nameOf)))
      } finally {
        for (const [index, endpoint] of opened.entries()) endpoint.access = before[index]!
      }
    },
  )

  const spellings: [string, (path: string) => string][] = [
    ['upper case', (p) => p.toUpperCase()],
    ['a double slash', (p) => p.replace('/api/', '/api//')],
    ['a leading double slash', (p) => `/${p}`],
    ['a dot segment', (p) => p.replace('/api/', '/api/./')],
    ['a parent segment', (p) => p.replace('/api/', '/api/health/../')],
    ['an encoded parent segment', (p) => p.replace('/api/', '/api/health/%2e%2e/')],
    ['an encoded letter', (p) => p.replace('api', '%61pi')],
    ['a double-encoded letter', (p) => p.replace('api', '%2561pi')],
    ['an encoded slash', (p) => p.replace('/api/', '/api%2f')],
    ['a backslash', (p) => p.replace('/api/', '/api\\')],
    ['an asset ending', (p) => `${p}.js`],
    ['a trailing slash', (p) => `${p}/`],
    ['a trailing dot', (p) => `${p}.`],
    ['a semicolon', (p) => `${p};.css`],
    ['a NUL', (p) => `${p}%00`],
    ['the pattern itself', (p) => p],
  ]
  test.each(spellings)('%s opens nothing', async (_how, spell) => {
    for (const endpoint of closed) {
      clock.pass(7_000)
      for (const { name, headers } of strangers()) {
        if (name === 'a viewer' && endpoint.access !== 'admin') continue
        const body = endpoint.method === 'GET' ? undefined : { surprise: true }
        const { status } = await server.as(headers)(endpoint.method, spell(endpoint.path), body)
        expect([400, 401, 403, 404, 405], `${nameOf(endpoint)} as ${spell(endpoint.path)}`).toContain(status)
      }
    }
  })
})

test('every error code is explained in docs/api-errors.md', () => {
  const text = fs.readFileSync(new URL('../../../../docs/api-errors.md', import.meta.url), 'utf8')
  for (const code of errorCodes) expect(text).toContain(`\`${code}\``)
})
