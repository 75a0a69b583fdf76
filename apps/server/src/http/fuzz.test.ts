import { type Lab, startLab } from '@pulse/lab'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { endpoints } from '../testing/access-matrix.ts'
import { anyText } from '../testing/any-text.ts'
import { answeringServers } from '../testing/database-of-tests.ts'
import { addUser, signIn, steppedClock } from '../testing/people.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'

/** 2,000 normally; the long tier multiplies. Of several servers, each waits for what the last request has changed. */
const REQUESTS = (answeringServers > 0 ? 200 : 2_000) * Number(process.env['PULSE_TEST_SCALE'] ?? 1) ** 1.7

const clock = steppedClock()
const secrets = [adminToken, 'canary-password-4711', 'correct horse battery']
let lab: Lab
let server: TestServer
beforeAll(async () => {
  lab = await startLab({ nodes: 1, guests: 4, authDelayMs: 0, loadPeriodMs: 0 })
  server = await startTestServer(clock)
  await addUser(server, 'anna', 'admin')
})
afterAll(async () => {
  await server.stop()
  await lab.close()
})

const hostile = [
  '',
  '\0',
  '../../etc/passwd',
  '%2e%2e%2f',
  '__proto__',
  'constructor',
  '\u202e',
  "' OR 1=1 --",
  '${7*7}',
  '<script>alert(1)</script>',
  'a'.repeat(5_000),
  '\ud800',
  '-1',
  '1e999',
  'http://127.0.0.1:1/',
  'javascript:alert(1)',
]
const scalar = fc.oneof(
  fc.constantFrom(...hostile),
  anyText({ maxLength: 60 }),
  fc.constantFrom(null, true, false, 0, -1, 1.5, 2 ** 53, Number.MAX_VALUE),
)
const anything = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 4 }),
  fc.dictionary(fc.oneof(fc.constantFrom(...hostile), fc.string({ maxLength: 12 })), scalar, { maxKeys: 5 }),
)

/** Restricts host names, because the machine's resolver would look up any other text. */
const address = fc.constantFrom(
  '',
  '\0',
  'javascript:alert(1)',
  'http://127.0.0.1:1/',
  'https://u:p@127.0.0.1',
  8006,
  null,
)

/** Field names of a schema, so that guesses get past the first check. */
function fieldsOf(schema: z.ZodMiniType | undefined): string[] {
  const shape = (schema as { _zod?: { def?: { shape?: object; options?: z.ZodMiniType[] } } } | undefined)
    ?._zod?.def
  return shape?.options ? shape.options.flatMap(fieldsOf) : Object.keys(shape?.shape ?? {})
}

/** A valid value for each field; bodies are mutated from these. */
const good: Record<string, unknown> = {
  username: 'anna',
  password: 'canary-password-4711',
  apiToken: 'ab'.repeat(24),
  name: 'x',
  role: 'viewer',
  type: 'pve',
  host: 'https://127.0.0.1:9',
  tokenName: 'a@pam!b',
  tokenValue: 'canary-password-4711',
  verifySSL: false,
  currentPassword: 'wrong',
  newPassword: 'canary-password-4711',
  identifier: 'anna',
  token: 'x',
  scopes: ['monitoring:read'],
  customUrl: 'https://a.lan',
  returnTo: '/',
  enabled: false,
}

const bodyOf = (fields: readonly string[]) =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record(
        Object.fromEntries(
          fields.map((f) => [
            f,
            fc.oneof(
              { weight: 4, arbitrary: fc.constant(good[f]) },
              { weight: 1, arbitrary: f === 'host' ? address : anything },
            ),
          ]),
        ),
        { requiredKeys: [] },
      ),
    },
    { weight: 1, arbitrary: anything },
  )

const attempt = fc.nat(endpoints.length - 1).chain((n) => {
  const endpoint = endpoints[n]!
  return fc.record({
    endpoint: fc.constant(endpoint),
    body: bodyOf(fieldsOf(endpoint.body)),
    raw: fc.option(anyText({ maxLength: 40 }), { freq: 12 }),
    param: fc.oneof(fc.constantFrom(...hostile.slice(1)), anyText({ minLength: 1, maxLength: 40 })),
    query: fc.option(
      fc.dictionary(
        fc.constantFrom('limit', 'before', 'event', 'code', 'state', 'token', 'x'),
        anyText({ maxLength: 30 }),
      ),
    ),
    as: fc.constantFrom('token', 'session', 'none'),
    type: fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom('application/json', 'application/json; charset=utf-8') },
      { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/xml', '') },
    ),
  })
})

test('[S13] whatever comes, no 5xx, no stack trace, no secret in any answer or log line', async () => {
  let session = await signIn(server, 'anna')
  let asked = 0
  const seen = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(attempt, async ({ endpoint, body, raw, param, query, as, type }) => {
      clock.pass(7_000)
      if (++asked % 200 === 0) session = await renewed(session)
      const credentials = { token: { 'x-api-token': adminToken }, session, none: {} }[as]
      const where =
        endpoint.path.replace(/:\w+/g, () => encodeURIComponent(param.toWellFormed())) +
        (query ? `?${new URLSearchParams(query)}` : '')
      const text = raw ?? JSON.stringify(body)
      const answer = await server.as({ ...credentials, 'content-type': type })(
        endpoint.method,
        where,
        endpoint.method === 'GET' ? undefined : text,
      )
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
      expect(answer.status, `${endpoint.method} ${where} ${text}: ${answer.text}`).toBeLessThan(500)
      expect(answer.text).not.toMatch(/\bat .*\.(ts|js):\d+|node_modules|SQLITE|Error:/)
      if (endpoint.path !== '/api/security/tokens')
        for (const s of secrets) expect(answer.text).not.toContain(s)
    }),
    { numRuns: Math.round(REQUESTS) },
  )
  console.log(
    `${asked} requests: ${[...seen]
      .toSorted()
      .map(([s, n]) => `${s} x ${n}`)
      .join(', ')}`,
  )
  const log = server.logLines.join('')
  for (const secret of secrets) expect(log).not.toContain(secret)
  // the clock of the test leaps: the lease of the process that leads ends, and the database has another time
  const errors = server.logLines.filter(
    (line) => /"level":(50|60)/.test(line) && !/"trouble":"(lead|clock)"/.test(line),
  )
  expect(errors).toEqual([])
  expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
  expect((await server.call('GET', '/api/health')).status).toBe(200)
})

/** Signs in again if a request has ended the session. */
async function renewed(session: Record<string, string>) {
  if ((await server.as(session)('GET', '/api/stats')).status === 200) return session
  const { body } = await server.call('GET', '/api/security/users')
  const known = (body as { users: { id: string; name: string }[] }).users.find(({ name }) => name === 'anna')
  if (known)
    await server.call('PUT', `/api/security/users/${known.id}`, { password: 'correct horse battery' })
  else await addUser(server, 'anna', 'admin')
  await server.call('POST', '/api/security/reset-lockout', { identifier: 'anna' })
  return signIn(server, 'anna')
}
