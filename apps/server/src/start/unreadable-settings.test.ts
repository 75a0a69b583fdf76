import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { settingsStore } from '../db/settings.ts'
import { openDataOf } from '../auth/fixtures.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
})
afterEach(() => server.stop())

/** Starts the server with this text as a settings document. */
async function startWith(key: string, text: string) {
  await server.pausedFor(async () => {
    const { db, maintenance, vault } = await openDataOf(server.dataDir)
    await settingsStore(db, vault, () => 1).write(key, text)
    await maintenance.close()
  })
}

async function storedUnder(key: string): Promise<string | undefined> {
  let text: string | undefined
  await server.pausedFor(async () => {
    const { db, maintenance, vault } = await openDataOf(server.dataDir)
    text = await settingsStore(db, vault, () => 1).read(key)
    await maintenance.close()
  })
  return text
}

const bodyOf = async (path: string) => (await server.call('GET', path)).body as Record<string, unknown>
const errors = async () => (await bodyOf('/api/diagnostics'))['errors'] as string[]
const webhook = (name: string, more = {}) => ({
  id: name,
  name,
  url: 'https://hook.example.test/a',
  enabled: true,
  service: 'generic',
  method: 'POST',
  headers: {},
  customFields: {},
  template: '',
  ...more,
})

describe('[R11] one unreadable entry of stored settings does not stop the start: it is set aside and reported', () => {
  test.each([
    {
      key: 'system',
      text: '{"theme":"blue","connectionTimeout":25,"surprise":1}',
      path: '/api/system/settings',
      entries: '"theme", "surprise"',
      expected: { connectionTimeout: 25 },
      save: ['/api/system/settings/update', 'POST', { connectionTimeout: 26 }],
    },
    {
      key: 'alerts',
      text: '{"activationState":"active","nodeDefaults":{"cpu":"much"},"flappingEnabled":false,"disableAllNodes":true}',
      path: '/api/alerts/config',
      entries: '"nodeDefaults.cpu"',
      expected: { activationState: 'active', disableAllNodes: true },
      save: ['/api/alerts/config', 'PUT', { disableAllNodes: false }],
    },
    {
      key: 'notifications.webhooks',
      text: JSON.stringify([webhook('one'), { ...webhook('two'), headers: 'canary-secret' }]),
      path: '/api/notifications/webhooks',
      entries: '"1"',
      expected: [expect.objectContaining({ id: 'one' })],
      save: undefined,
    },
    {
      key: 'notifications.email',
      text: '{"enabled":true,"server":"mail.example.test","port":"many","from":"a@example.test","password":"canary-secret"}',
      path: '/api/notifications/email',
      entries: undefined,
      expected: { enabled: false, server: '', hasPassword: false },
      save: ['/api/notifications/email', 'PUT', { server: '' }],
    },
    {
      key: 'oidc',
      text: '{"enabled":true,"issuerUrl":"https://id.example.test","clientId":"p","allowedGroups":7,"clientSecret":"canary-secret"}',
      path: '/api/security/oidc',
      entries: undefined,
      expected: { enabled: false, issuerUrl: '', clientSecretSet: false },
      save: ['/api/security/oidc', 'PUT', { enabled: false }],
    },
  ])('$key', async ({ key, text, path, entries, expected, save }) => {
    await startWith(key, text)
    const { status, body } = await server.call('GET', path)
    expect([status, body]).toEqual([
      200,
      Array.isArray(expected) ? expected : expect.objectContaining(expected),
    ])
    const found = (await errors()).filter((error) => error.includes('could not be read'))
    expect(found).toEqual([expect.stringContaining(entries ?? 'could not be read as a whole')])
    const all = JSON.stringify([found, server.logLines])
    expect(all).not.toContain('canary-secret')
    expect(await storedUnder(`${key}.set-aside`)).toBe(text)
    if (!save) return
    const [where, method, change] = save as [string, string, unknown]
    expect((await server.call(method, where, change)).status).toBe(200)
    await server.restart()
    expect((await errors()).filter((error) => error.includes('could not be read'))).toEqual([])
  })

  test.each(['system', 'alerts', 'notifications.apprise', 'notifications.outbound', 'oidc', 'viewer-themes'])(
    '%s that is no JSON at all',
    async (key) => {
      await startWith(key, '{"half')
      expect((await server.call('GET', '/api/state')).status).toBe(200)
      expect(await errors()).toEqual([expect.stringContaining('could not be read as a whole')])
    },
  )
})
