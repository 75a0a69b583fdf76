import type { SystemSettings } from '@pulse/contract'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isForOneProcess } from '../testing/database-of-tests.ts'
import { connectLive } from '../testing/live-client.ts'
import { addToken, addUser, signIn } from '../testing/people.ts'
import { adminToken, type Call, startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
})
afterEach(() => server.stop())

const save = (body: unknown, call: Call = server.call) => call('POST', '/api/system/settings/update', body)
const read = async () => (await server.call('GET', '/api/config/system')).body as SystemSettings
const lastAudit = async () => {
  const { body } = await server.call('GET', '/api/security/audit?event=settings_changed&limit=1')
  return (body as { events: Record<string, unknown>[] }).events[0]
}

describe('[spec 2 §7] reading', () => {
  test('an administrator sees everything, and what the environment fixes', async () => {
    await server.restart({ API_TOKENS: adminToken, ALLOWED_ORIGINS: '*', BACKUP_POLLING_INTERVAL: '15m' })
    const { body } = await server.call('GET', '/api/system/settings')
    expect(body).toEqual({
      ...(await read()),
      envOverrides: {
        allowedOrigins: true,
        ALLOWED_ORIGINS: true,
        backupPollingInterval: true,
        BACKUP_POLLING_INTERVAL: true,
      },
    })
    expect(await read()).toMatchObject({ allowedOrigins: '*', backupPollingInterval: 900 })
  })

  test('a viewer, and a token that may not read settings, see what the pages need', async () => {
    await addUser(server, 'victor', 'viewer')
    const viewer = server.as(await signIn(server, 'victor'))
    const token = server.as((await addToken(server.call, { scopes: ['monitoring:read'] })).headers)
    await save({ theme: 'dark', allowedOrigins: 'https://a.example' })
    for (const call of [viewer, token]) {
      const { body } = await call('GET', '/api/config/system')
      expect(body).toEqual({ theme: 'dark', backupPollingEnabled: true, backupPollingInterval: 0 })
      expect((await call('GET', '/api/system/settings')).status).toBe(403)
      expect((await call('GET', '/api/settings')).status).toBe(403)
      expect((await call('GET', '/api/config')).body).toEqual({
        csrfProtection: true,
        autoUpdateEnabled: false,
        updateChannel: 'stable',
      })
    }
    expect((await save({ theme: 'light' }, viewer)).status).toBe(403)
  })

  test('current, defaults and capabilities', async () => {
    await save({ theme: 'dark' })
    const { body } = await server.call('GET', '/api/settings')
    expect(body).toMatchObject({
      current: { theme: 'dark' },
      defaults: { theme: '', connectionTimeout: 60 },
      capabilities: { requiresRestart: false, canRestart: false, canValidate: true },
    })
  })
})

describe('[spec 2 §7] saving', () => {
  test.each([
    ['POST', '/api/system/settings/update'],
    ['PUT', '/api/config/system'],
    ['POST', '/api/settings/update'],
  ])('%s %s', async (method, where) => {
    expect(await server.call(method, where, { connectionTimeout: 30 })).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect(await read()).toMatchObject({ connectionTimeout: 30 })
    await server.restart()
    expect(await read()).toMatchObject({ connectionTimeout: 30, theme: '' })
  })

  test('leaves a record with the names of the fields', async () => {
    await save({ theme: 'dark', allowedOrigins: 'https://a.example', connectionTimeout: 60 })
    expect(await lastAudit()).toMatchObject({ success: true, details: 'allowedOrigins, theme' })
  })

  test('what was read can be saved, and changes nothing', async () => {
    await save({ discoveryConfig: { maxConcurrent: 7 }, theme: 'dark' })
    const before = await read()
    expect((await save(before)).body).toEqual({ success: true })
    expect(await read()).toEqual(before)
    expect(await lastAudit()).toMatchObject({ details: 'nothing changed' })
  })

  test('two writers at the same time lose nothing', async () => {
    const fields = { theme: 'dark', connectionTimeout: 9, updateChannel: 'rc', autoUpdateTime: '05:00' }
    const answers = await Promise.all(Object.entries(fields).map(([name, value]) => save({ [name]: value })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await read()).toMatchObject(fields)
  })

  test('a locked field answers 409 and names the variable', async () => {
    await server.restart({ API_TOKENS: adminToken, DISCOVERY_ENABLED: 'false' })
    expect(await save({ discoveryEnabled: true, theme: 'dark' })).toMatchObject({
      status: 409,
      body: {
        code: 'locked_by_environment',
        error: 'discoveryEnabled is fixed by DISCOVERY_ENABLED. Change it there and restart Pulse.',
        details: { discoveryEnabled: expect.stringContaining('DISCOVERY_ENABLED') },
      },
    })
    expect(await read()).toMatchObject({ discoveryEnabled: false, theme: '' })
  })

  test.each([
    ['{', 'invalid_json'],
    ['[]', 'validation_failed'],
    ['null', 'validation_failed'],
    ['"theme"', 'validation_failed'],
    ['{"surprise":1}', 'validation_failed'],
    ['{"__proto__":{"theme":"dark"}}', 'invalid_json'],
    ['{"constructor":{"prototype":{}}}', /validation_failed|invalid_json/],
    ['{"theme":{"toString":"x"}}', 'validation_failed'],
    ['{"discoveryConfig":{"__proto__":{"max_concurrent":1}}}', 'invalid_json'],
    ['{"discoveryConfig":[]}', 'validation_failed'],
    ['{"connectionTimeout":1e999}', 'validation_failed'],
    ['{"allowedOrigins":"https://a.example; frame-ancestors *"}', 'validation_failed'],
    ['{"allowedEmbedOrigins":"https://a.example\\r\\nX-Evil: 1"}', 'validation_failed'],
    [JSON.stringify({ allowedOrigins: 'x'.repeat(70_000) }), 'payload_too_large'],
  ])('%.60s is refused and changes nothing', async (text, code) => {
    const before = await read()
    const { status, body } = await save(text)
    expect([400, 413]).toContain(status)
    expect((body as { code: string }).code).toMatch(code)
    expect(await read()).toEqual(before)
  })
})

describe('[facts/platform 17] checking without saving', () => {
  test('says what is wrong, by field', async () => {
    const check = async (body: unknown) => (await server.call('POST', '/api/settings/validate', body)).body
    expect(await check({})).toEqual({ valid: true, errors: [] })
    expect(await check(await read())).toEqual({ valid: true, errors: [] })
    expect(await check({ theme: 'blue', connectionTimeout: 0, allowedOrigins: 'x' })).toMatchObject({
      valid: false,
      errors: [{ field: 'connectionTimeout' }, { field: 'theme' }],
    })
    expect(await check({ allowedOrigins: 'x' })).toEqual({
      valid: false,
      errors: [
        {
          field: 'allowedOrigins',
          message: '"x" is not an origin. Use origins such as https://wall.example.com.',
        },
      ],
    })
    expect(await read()).toMatchObject({ theme: '' })
  })
})

describe('[spec 2 §2] a change takes effect at once', () => {
  const headersFor = async (origin: string) =>
    (await server.as({ origin, 'x-api-token': adminToken })('GET', '/api/health')).headers

  test('CORS', async () => {
    const allowed = async () => (await headersFor('https://a.example')).get('access-control-allow-origin')
    expect(await allowed()).toBeNull()
    await save({ allowedOrigins: 'https://a.example' })
    expect(await allowed()).toBe('https://a.example')
    await save({ allowedOrigins: '*' })
    expect(await allowed()).toBe('*')
    expect((await headersFor('https://a.example')).get('access-control-allow-credentials')).toBeNull()
    await save({ allowedOrigins: '' })
    expect(await allowed()).toBeNull()
  })

  test('writes from a page of another site', async () => {
    const write = () =>
      save({ theme: 'dark' }, server.as({ origin: 'https://a.example', 'x-api-token': adminToken }))
    expect((await write()).status).toBe(403)
    await save({ allowedOrigins: 'https://a.example' })
    expect((await write()).status).toBe(200)
    await save({ allowedOrigins: 'https://b.example' })
    expect((await write()).status).toBe(403)
  })

  test('frames', async () => {
    const policy = async () => {
      const headers = await headersFor('https://a.example')
      const ancestors = /frame-ancestors (.*)$/.exec(headers.get('content-security-policy')!)![1]
      return [ancestors, headers.get('x-frame-options')]
    }
    expect(await policy()).toEqual(["'none'", 'DENY'])
    await save({ allowEmbedding: true })
    expect(await policy()).toEqual(["'self'", null])
    await save({ allowedEmbedOrigins: 'https://wall.example' })
    expect(await policy()).toEqual(["'self' https://wall.example", null])
    await save({ allowEmbedding: false })
    expect(await policy()).toEqual(["'none'", 'DENY'])
  })

  test('sockets, those that are open included', async () => {
    const headers = { 'x-api-token': adminToken, origin: 'https://a.example' }
    await expect(connectLive(server.url, { headers })).rejects.toThrow('403')
    await save({ allowedOrigins: 'https://a.example' })
    const client = await connectLive(server.url, { headers })
    const own = await connectLive(server.url)
    await save({ allowedOrigins: '' })
    expect((await client.closed).code).toBe(4401)
    expect(own.socket.readyState).toBe(own.socket.OPEN)
    await expect(connectLive(server.url, { headers })).rejects.toThrow('403')
    own.close()
  })

  test('the theme, in every other browser', async () => {
    const client = await connectLive(server.url)
    await save({ theme: 'dark' })
    await expect
      .poll(() => client.texts.filter(({ type }) => type === 'settingsUpdate'))
      .toMatchObject([{ data: { theme: 'dark' } }])
    await save({ theme: 'dark', connectionTimeout: 5 })
    await save({ theme: '' })
    await expect
      .poll(() => client.texts.filter(({ type }) => type === 'settingsUpdate').map(({ data }) => data))
      .toEqual([{ theme: 'dark' }, { theme: '' }])
    client.close()
  })

  test.skipIf(isForOneProcess('each process sets a log level of its own'))(
    'the log level, and after a restart',
    async () => {
      expect(server.logLevels).toEqual([])
      await save({ logLevel: 'debug' })
      expect(server.logLevels).toEqual(['debug'])
      await server.restart()
      expect(server.logLevels).toEqual(['debug', 'debug'])
    },
  )
})
