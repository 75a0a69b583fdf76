import * as contract from '@pulse/contract'
import { allScopes, type Endpoint, type Scope } from '@pulse/contract'
import { addToken, addUser, password, signIn, type steppedClock } from './people.ts'
import { adminToken, type TestServer } from './server.ts'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'path' in value && 'method' in value

/** Every call of the contract. */
export const endpoints: Endpoint[] = Object.values(contract as Record<string, unknown>).filter(isEndpoint)

export const nameOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`

type Row = Pick<Endpoint, 'method' | 'path' | 'access' | 'scope'>

/** The declared table at the start of the tests, so that later changes in memory are detected. */
const declared: ReadonlyMap<string, Row> = new Map(endpoints.map((e) => [nameOf(e), { ...e }]))

const HOUR_MS = 3_600_000

/** A credential, and the rights that it grants. */
export interface Credential {
  name: string
  headers: Record<string, string>
  worth: 'nothing' | 'viewer' | 'admin' | readonly Scope[]
}

/** Creates one credential of each kind on a running server with `matrixEnv` in its environment. */
export async function makeCredentials(
  server: TestServer,
  clock: ReturnType<typeof steppedClock>,
): Promise<Credential[]> {
  await addUser(server, 'admin', 'admin')
  await addUser(server, 'viewer', 'viewer')
  const expiresAt = new Date(clock.now() + HOUR_MS).toISOString()
  const expiredToken = await addToken(server.call, { expiresAt })
  const expiredSession = await signIn(server, 'admin')
  clock.pass(31 * 24 * HOUR_MS)

  const revoked = await addToken(server.call)
  await server.call('DELETE', `/api/security/tokens/${revoked.id}`)
  const ended = await signIn(server, 'admin')
  await server.as(ended)('POST', '/api/logout')
  const removedId = await addUser(server, 'gone', 'admin')
  const gone = await signIn(server, 'gone')
  await server.call('DELETE', `/api/security/users/${removedId}`)
  const admin = await signIn(server, 'admin')
  const flipped = {
    ...admin,
    cookie: admin['cookie']!.replace(/[0-9a-f](?=;)/, (c) => (c === '0' ? '1' : '0')),
  }
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
  const nothing: Record<string, Record<string, string>> = {
    'no credential': {},
    'an expired token': expiredToken.headers,
    'an expired session': expiredSession,
    'a wrong token': { 'x-api-token': 'f'.repeat(64) },
    'a wrong bearer': { authorization: `Bearer ${'f'.repeat(64)}` },
    'a revoked token': revoked.headers,
    'a session that was ended': ended,
    'a session of a removed user': gone,
    'a session with one bit flipped': flipped,
    'a broken Authorization header': { authorization: 'Basic !' },
    'a token in the query of a call': { 'x-test-query': `token=${adminToken}` },
    'the role header without the secret': { 'x-proxy-user': 'eve', 'x-proxy-roles': 'admin' },
    'a wrong proxy secret': { ...proxyHeaders('eve', 'admin'), 'x-proxy-secret': 'wrong' },
    'a proxy secret without a user': { 'x-proxy-secret': proxySecret, 'x-proxy-roles': 'admin' },
  }
  const viewers: Record<string, Record<string, string>> = {
    'a viewer': await signIn(server, 'viewer'),
    'a viewer by Basic': basic(`viewer:${password}`),
    'a proxy user without the role': proxyHeaders('paul', 'users|admins'),
  }
  const scoped = await Promise.all(
    allScopes.map(async (scope) => ({
      name: `a token with ${scope} alone`,
      headers: (await addToken(server.call, { scopes: [scope] })).headers,
      worth: [scope],
    })),
  )
  return [
    ...Object.entries(nothing).map(([name, headers]) => ({ name, headers, worth: 'nothing' as const })),
    ...Object.entries(viewers).map(([name, headers]) => ({ name, headers, worth: 'viewer' as const })),
    ...scoped,
    { name: 'an administrator', headers: admin, worth: 'admin' },
    { name: 'an administrator by Basic', headers: basic(`admin:${password}`), worth: 'admin' },
    { name: 'a proxy user with the role', headers: proxyHeaders('pia', 'users|admin'), worth: 'admin' },
  ]
}

const proxySecret = 'proxy-secret-0123456789'
const proxyHeaders = (user: string, roles: string) => ({
  'x-proxy-secret': proxySecret,
  'x-proxy-user': user,
  'x-proxy-roles': roles,
})

export const matrixEnv = {
  API_TOKENS: adminToken,
  PROXY_AUTH_SECRET: proxySecret,
  PROXY_AUTH_USER_HEADER: 'X-Proxy-User',
  PROXY_AUTH_ROLE_HEADER: 'X-Proxy-Roles',
  PULSE_TRUSTED_PROXIES: '127.0.0.1',
}

type Verdict = 'admitted' | 'unauthenticated' | 'forbidden'

/** The verdict that the table promises, implemented independently of the gate. */
function promised({ access, scope }: Row, { worth }: Credential): Verdict {
  if (access === 'public') return 'admitted'
  if (worth === 'nothing') return 'unauthenticated'
  if (typeof worth !== 'string')
    return scope !== undefined && worth.includes(scope as Scope) ? 'admitted' : 'forbidden'
  return worth === 'admin' || access === 'user' ? 'admitted' : 'forbidden'
}

/** Makes every call with every credential; returns the rows with another result than promised. */
export async function violations(
  server: TestServer,
  credentials: readonly Credential[],
  clock: ReturnType<typeof steppedClock>,
): Promise<string[]> {
  const found: string[] = []
  for (const endpoint of endpoints) {
    const row = declared.get(nameOf(endpoint))!
    for (const credential of credentials) {
      const wanted = promised(row, credential)
      // advances the clock, so that calls of one class stay below the rate limit
      clock.pass(7_000)
      const verdict = await ask(server, endpoint, credential)
      if (verdict !== wanted) found.push(`${nameOf(endpoint)}, ${credential.name}: ${verdict}, not ${wanted}`)
    }
  }
  return found
}

async function ask(server: TestServer, endpoint: Endpoint, { headers }: Credential): Promise<Verdict> {
  const { 'x-test-query': query, ...rest } = headers
  const where = endpoint.path.replace(/:\w+/g, 'x') + (query ? `?${query}` : '')
  // an unknown field: admitted callers get an error, and nothing changes
  const body = endpoint.method === 'GET' ? undefined : { surprise: true }
  const { status, body: answer } = await server.as(rest)(endpoint.method, where, body)
  const { code } = (answer ?? {}) as { code?: string }
  if (status === 401 && code === 'authentication_required') return 'unauthenticated'
  if (status === 403 && code === 'forbidden') return 'forbidden'
  return 'admitted'
}
