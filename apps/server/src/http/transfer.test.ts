import { type ApiToken, maxExportLength } from '@pulse/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aLegacyFile } from '../transfer/fixtures.ts'
import { connectLive } from '../testing/live-client.ts'
import { addToken, addUser, login, password, signIn, steppedClock } from '../testing/people.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'

const passphrase = 'canary passphrase of an export'
const clock = steppedClock()
const codeOf = ({ status, body }: { status: number; body: unknown }) => [
  status,
  (body as { code?: string }).code,
]
const exportFrom = async (server: TestServer, words = passphrase) => {
  const answer = await server.call('POST', '/api/config/export', { passphrase: words })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body as { status: string; data: string }
}
const importInto = (server: TestServer, data: string, words = passphrase) =>
  server.call('POST', '/api/config/import', { passphrase: words, data })

/** Adds a node of each kind, links, users, tokens and settings. No server listens at these addresses. */
async function fill(server: TestServer) {
  const nodes = [
    {
      type: 'pve',
      name: 'alpha',
      host: 'https://127.0.0.1:1',
      tokenName: 'p@pam!t',
      tokenValue: 'canary-pve',
    },
    {
      type: 'pbs',
      name: 'store',
      host: 'https://127.0.0.1:2',
      tokenName: 'p@pbs!t',
      tokenValue: 'canary-pbs',
    },
    { type: 'pmg', name: 'mail', host: 'https://127.0.0.1:3', user: 'p', password: 'canary-pmg' },
  ]
  for (const node of nodes) await server.call('POST', '/api/config/nodes', node)
  await server.call('PUT', '/api/guests/metadata/alpha-pve1-100', { customUrl: 'https://grafana.lan/d/1' })
  await server.call('POST', '/api/system/settings/update', { theme: 'dark', connectionTimeout: 30 })
  await server.call('PUT', '/api/security/oidc', {
    issuerUrl: 'https://127.0.0.1:4',
    clientId: 'pulse',
    clientSecret: 'canary-client-secret',
  })
  await addUser(server, 'anna', 'admin')
  await addUser(server, 'vera', 'viewer')
  return addToken(server.call, { name: 'script', scopes: ['monitoring:read'] })
}

const settingsPages = [
  '/api/config/nodes',
  '/api/guests/metadata',
  '/api/system/settings',
  '/api/security/oidc',
  '/api/security/users',
  '/api/security/tokens',
]
const passing = [
  'status',
  'error',
  'frontendPort',
  'backendPort',
  'defaultRedirect',
  'lastUsedAt',
  'lastLoginAt',
  // the token of the environment, which created the others, differs on that server
  'madeBy',
  'madeWith',
]
/** The pages without values that differ between any two servers, and without the token of the environment. */
async function pagesOf(server: TestServer) {
  const pages: Record<string, unknown> = {}
  for (const where of settingsPages) {
    const { text } = await server.call('GET', where)
    pages[where] = JSON.parse(text, (key, value: unknown) => {
      if (passing.includes(key)) return undefined
      if (key === 'tokens') return (value as { source: string }[]).filter(({ source }) => source === 'user')
      return value
    })
  }
  return pages
}

describe('[S17] a backup', () => {
  let one: TestServer
  let other: TestServer
  let token: Awaited<ReturnType<typeof fill>>
  let file: { status: string; data: string }
  beforeAll(async () => {
    one = await startTestServer(clock)
    other = await startTestServer(clock)
    token = await fill(one)
    file = await exportFrom(one)
  })
  afterAll(async () => {
    await one.stop()
    await other.stop()
  })
  beforeEach(() => clock.pass(61_000))

  test('shows what it would add and changes nothing; nodes, administrators and tokens by name', async () => {
    const before = await pagesOf(other)
    const preview = (server: TestServer, words = passphrase) =>
      server.call('POST', '/api/config/import/preview', { passphrase: words, data: file.data })
    expect(await preview(other)).toMatchObject({
      status: 200,
      body: {
        summary: expect.stringContaining('3 nodes') as string,
        nodes: [
          { name: 'alpha', type: 'pve', host: 'https://127.0.0.1:1', change: 'added' },
          { name: 'store', type: 'pbs', change: 'added' },
          { name: 'mail', type: 'pmg', change: 'added' },
        ],
        accounts: [
          { name: 'anna', role: 'admin' },
          { name: 'vera', role: 'viewer' },
        ],
        tokens: [{ name: 'script', scopes: ['monitoring:read'] }],
      },
    })
    expect(await pagesOf(other)).toEqual(before)
    expect((await preview(one)).body).toMatchObject({
      nodes: [{ change: 'kept' }, { change: 'kept' }, { change: 'kept' }],
      accounts: [],
      tokens: [],
    })
    const [{ id }] = (await one.call('GET', '/api/config/nodes')).body as [{ id: string }]
    await one.call('PUT', `/api/config/nodes/${id}`, { host: '127.0.0.1:9', tokenValue: 'canary-pve' })
    expect((await preview(one)).body).toMatchObject({ nodes: [{ name: 'alpha', change: 'changed' }, {}, {}] })
    await one.call('PUT', `/api/config/nodes/${id}`, { host: '127.0.0.1:1', tokenValue: 'canary-pve' })
    expect(codeOf(await preview(other, 'another passphrase'))).toEqual([400, 'wrong_passphrase'])
    const record = await other.call('GET', '/api/security/audit?event=config_imported&limit=1')
    expect(record.text).toContain('preview: wrong_passphrase')
    const refused = await one.as(token.headers)('POST', '/api/config/import/preview', {
      passphrase,
      data: file.data,
    })
    expect(refused.status).toBe(403)
  })

  test('brings the same state onto a fresh installation, at once and after a restart', async () => {
    const live = await connectLive(other.url)
    const answer = await importInto(other, file.data)
    expect(answer).toMatchObject({ status: 200, body: { status: 'success' } })
    expect(answer.body).toMatchObject({
      message: expect.stringMatching(
        /^Imported: 3 nodes, 1 guest link, system settings, single sign-on, 2 accounts, 1 API token\./,
      ),
      notes: ['Accounts added: "anna", "vera".', 'API tokens added: "script".'],
    })
    await expect.poll(() => live.texts.map(({ type }) => type)).toContain('nodes_changed')
    await expect
      .poll(() => live.texts.find(({ type }) => type === 'settingsUpdate')?.data)
      .toMatchObject({ theme: 'dark' })
    live.close()
    const wanted = await pagesOf(one)
    expect(await pagesOf(other)).toEqual(wanted)
    expect((await login(other, 'anna')).status).toBe(200)
    expect((await other.as(token.headers)('GET', '/api/state')).status).toBe(200)
    await other.restart()
    clock.pass(61_000)
    expect(await pagesOf(other)).toEqual(wanted)
    expect((await other.as(token.headers)('GET', '/api/state')).status).toBe(200)
  })

  test('can be given as the whole file, and leaves a record of who did it', async () => {
    const session = await signIn(one, 'anna')
    const answer = await one.as(session)('POST', '/api/config/import', {
      passphrase,
      data: JSON.stringify(file),
    })
    expect(answer.status).toBe(200)
    expect((await one.as(session)('GET', '/api/stats')).status).toBe(200)
    const { body } = await one.call('GET', '/api/security/audit?event=config_imported&limit=1')
    expect(body).toMatchObject({
      events: [
        { actor: 'anna', method: 'session', success: true, details: expect.stringContaining('3 nodes') },
      ],
    })
    const exported = await one.call('GET', '/api/security/audit?event=config_exported')
    expect(exported.text).toContain('connections, guestMetadata, system, oidc, users, apiTokens')
  })

  test('with another passphrase, or damaged, is refused; that is recorded too and nothing is changed', async () => {
    const before = await pagesOf(one)
    expect(codeOf(await importInto(one, file.data, 'another passphrase'))).toEqual([400, 'wrong_passphrase'])
    const bytes = Buffer.from(file.data, 'base64')
    bytes[bytes.length - 1]! ^= 1
    expect(codeOf(await importInto(one, bytes.toString('base64')))).toEqual([400, 'wrong_passphrase'])
    expect(codeOf(await importInto(one, 'AAAA'))).toEqual([400, 'invalid_import'])
    expect(codeOf(await importInto(one, ''))).toEqual([400, 'validation_failed'])
    expect(codeOf(await importInto(one, file.data, ''))).toEqual([400, 'validation_failed'])
    expect(await pagesOf(one)).toEqual(before)
    const { text } = await one.call('GET', '/api/security/audit?event=config_imported')
    expect(text).toMatch(/"success":false[^}]*"details":"wrong_passphrase"/)
  })

  test('of Pulse 4.x is taken over, and what is not is said', async () => {
    const nodes = {
      pveInstances: [
        { Name: 'alpha', Host: 'https://127.0.0.1:1', User: 'p@pam', Password: 'canary-4x', VerifySSL: true },
      ],
    }
    const older = aLegacyFile({ version: '4.1', nodes, email: { enabled: true } }, passphrase)
    const before = await one.call('GET', '/api/config/nodes')
    const { body } = await importInto(one, older)
    expect(body).toMatchObject({
      message: expect.stringMatching(/^Imported: 1 node\. .*email were left out/),
    })
    const [alpha] = (await one.call('GET', '/api/config/nodes')).body as { id: string; user: string }[]
    expect(alpha).toMatchObject({ id: (before.body as { id: string }[])[0]!.id, user: 'p@pam' })
    await importInto(one, file.data)
    expect((await one.call('GET', '/api/config/nodes')).body).toHaveLength(3)
  })

  test('two at once both end well', async () => {
    const answers = await Promise.all([importInto(one, file.data), importInto(one, file.data)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  })

  test('larger than there can be is not read', async () => {
    expect(codeOf(await importInto(one, 'A'.repeat(11_000_000)))).toEqual([413, 'payload_too_large'])
    expect(codeOf(await importInto(one, 'A'.repeat(maxExportLength + 1)))).toEqual([400, 'validation_failed'])
    expect(codeOf(await importInto(one, 'A'.repeat(maxExportLength)))).toEqual([400, 'wrong_passphrase'])
  })

  test('may be tried ten times a minute', async () => {
    const statuses = []
    for (let n = 0; n < 12; n++) statuses.push((await importInto(one, 'AAAA')).status)
    expect(statuses).toEqual([...Array(10).fill(400), 429, 429])
  })

  test('[S16] leaves no secret in the log or in an answer', async () => {
    const text = one.logLines.join('') + other.logLines.join('')
    for (const secret of [
      passphrase,
      'canary-pve',
      'canary-pmg',
      'canary-client-secret',
      'canary-4x',
      password,
    ]) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(Buffer.from(secret).toString('base64').slice(0, 12))
    }
    expect(text).not.toContain(file.data.slice(0, 60))
  })
})

describe('[S3] tokens of a backup end with their maker', () => {
  let server: TestServer
  const tokens = async () =>
    ((await server.call('GET', '/api/security/tokens')).body as { tokens: ApiToken[] }).tokens.filter(
      ({ source }) => source === 'user',
    )
  const works = async (headers: Record<string, string>) =>
    (await server.as(headers)('GET', '/api/stats')).status === 200
  /** Tokens of an administrator, one created with the other; and a token of a user without an account. */
  async function fillAndExport() {
    const id = await addUser(server, 'anna', 'admin')
    const own = await addToken(server.as(await signIn(server, 'anna')), { name: 'of anna' })
    const second = await addToken(server.as(own.headers), { name: 'second of anna' })
    const other = await addToken(server.call, { name: 'of the environment' })
    return { id, own, second, other, data: (await exportFrom(server)).data }
  }
  beforeEach(async () => {
    clock.pass(61_000)
    server = await startTestServer(clock)
  })
  afterEach(() => server.stop())

  test('where it comes back: the maker is known, and his tokens are listed and end when he goes', async () => {
    const { id, own, second, other, data } = await fillAndExport()
    await server.stop()
    server = await startTestServer(clock)
    expect((await importInto(server, data)).status).toBe(200)
    const byName = new Map((await tokens()).map((token) => [token.name, token]))
    expect(byName.get('of anna')!.madeBy).toEqual({ id: `user:${id}`, name: 'anna' })
    expect(byName.get('second of anna')).toMatchObject({ madeBy: { name: 'anna' }, madeWith: own.id })
    expect(byName.get('of the environment'), 'another one there').not.toHaveProperty('madeBy')
    await server.restart()
    await addUser(server, 'bert', 'admin') // keeps an administrator
    const { body } = await server.call('DELETE', `/api/security/users/${id}`)
    expect((body as { tokens: { ended: ApiToken[] } }).tokens.ended.map((one) => one.id).toSorted()).toEqual(
      [own.id, second.id].toSorted(),
    )
    expect([await works(own.headers), await works(second.headers), await works(other.headers)]).toEqual([
      false,
      false,
      true,
    ])
  })

  test('where the name of the maker belongs to another account, no maker is named, and a restart ends nothing', async () => {
    const { own, data } = await fillAndExport()
    await server.stop()
    server = await startTestServer(clock)
    await addUser(server, 'anna', 'admin')
    expect((await importInto(server, data)).status).toBe(200)
    for (const token of await tokens()) expect(token, token.name).not.toHaveProperty('madeBy')
    await server.restart()
    expect(await works(own.headers)).toBe(true)
  })
})

test('with authentication switched off, this machine may export and import', async () => {
  const server = await startTestServer(clock, { DISABLE_AUTH: 'true' })
  try {
    const call = server.as({})
    const exported = await call('POST', '/api/config/export', { passphrase })
    const { data } = exported.body as { data: string }
    expect((await call('POST', '/api/config/import', { passphrase, data })).status).toBe(200)
    const forwarded = await server.as({ 'x-forwarded-for': '192.0.2.1' })('POST', '/api/config/export', {
      passphrase,
    })
    expect(forwarded.status).toBe(403)
  } finally {
    await server.stop()
  }
})

describe('[spec 2 §6] with an API token set up and no user signed in', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(clock, { DISABLE_AUTH: 'true', API_TOKENS: adminToken })
  })
  afterAll(() => server.stop())

  const calls = [
    ['export', { passphrase }],
    ['import/preview', { passphrase, data: 'x' }],
    ['import', { passphrase, data: 'x' }],
  ] as const

  test.each(calls)('%s needs the token, and the refusal says so', async (name, body) => {
    const answer = await server.as({})('POST', `/api/config/${name}`, body)
    expect(codeOf(answer)).toEqual([401, 'authentication_required'])
    expect(answer.text).toContain('API token')
    const wrong = await server.as({ 'x-api-token': 'not this one' })('POST', `/api/config/${name}`, body)
    expect(codeOf(wrong)).toEqual([401, 'authentication_required'])
  })

  test('with the token both go on, and everything else stays open', async () => {
    expect((await server.call('POST', '/api/config/export', { passphrase })).status).toBe(200)
    expect(codeOf(await importInto(server, 'x'))[0]).toBe(400)
    expect((await server.as({})('GET', '/api/config/nodes')).status).toBe(200)
    const { body } = await server.as({})('GET', '/api/security/status')
    expect(body).toMatchObject({ exportProtected: true, apiTokenConfigured: true })
  })
})
