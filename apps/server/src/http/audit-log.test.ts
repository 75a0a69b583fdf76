import type { AuditRecord } from '@pulse/contract'
import http from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isForOneProcess } from '../testing/database-of-tests.ts'
import { addUser, login, signIn, steppedClock } from '../testing/people.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'

const clock = steppedClock()
let server: TestServer
beforeAll(async () => {
  server = await startTestServer(clock)
  await addUser(server, 'anna', 'admin')
})
afterAll(() => server.stop())

const records = async (query = '') =>
  (await server.call('GET', `/api/security/audit${query}`)).body as { events: AuditRecord[]; next?: string }

describe('[S22] the audit log cannot be forged', () => {
  test('actor and address are the real ones, whatever headers and bodies claim', async () => {
    clock.pass(61_000)
    const anna = await signIn(server, 'anna')
    const lies = {
      'x-forwarded-for': '203.0.113.9',
      'x-real-ip': '203.0.113.9',
      'x-authenticated-user': 'boss',
      'x-proxy-user': 'boss',
      'x-request-id': 'forged',
      'user-agent': 'boss\u00a0',
    }
    const name = 'evil \ufeff\u200d login chief'
    const answer = await server.as({ ...anna, ...lies })('POST', '/api/security/tokens', { name })
    expect(answer.status).toBe(200)
    const { events } = await records('?event=token_created')
    expect(events[0]).toMatchObject({
      actor: 'anna',
      method: 'session',
      address: '127.0.0.1',
      requestId: answer.headers.get('x-request-id'),
    })
    expect(events[0]!.target).toMatch(/^[\x20-\x7e]*$/)
    expect(events[0]!.target).toContain('\\ufeff\\u200d')
    expect(JSON.stringify(events)).not.toMatch(/boss"|203\.0\.113|forged/)
    const line = server.logLines.findLast((one) => one.includes('token_created'))!
    expect(JSON.parse(line)).toMatchObject({ audit: { actor: 'anna', address: '127.0.0.1' } })
    for (const c of ['\n', '\u001b']) expect(line.trimEnd()).not.toContain(c)
  })

  test('[S6] a proxy that adds to a header instead of replacing it gives no user a role', async () => {
    await server.restart({
      API_TOKENS: adminToken,
      PROXY_AUTH_SECRET: 'proxy-secret-0123456789',
      PROXY_AUTH_USER_HEADER: 'X-User',
      PROXY_AUTH_ROLE_HEADER: 'X-Roles',
      PROXY_AUTH_ROLE_SEPARATOR: ',',
      PULSE_TRUSTED_PROXIES: '127.0.0.1',
    })
    const ask = (roles: string[]) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { 'x-proxy-secret': 'proxy-secret-0123456789', 'x-user': 'eve', 'x-roles': roles }
        http
          .get(`${server.url}/api/security/users`, { headers }, ({ statusCode }) => resolve(statusCode))
          .on('error', reject)
      })
    expect(await ask(['admin'])).toBe(200)
    expect(await ask(['admin', 'users'])).toBe(403)
    await server.restart({ API_TOKENS: adminToken })
  })

  test('a name that is tried at sign-in is shown as text', async () => {
    await login(server, 'root\n2026 login ok \u001b[2J', 'x')
    expect((await records('?event=login_failed')).events[0]).toMatchObject({
      actor: 'root\\u000a2026 login ok \\u001b[2J',
      method: 'none',
      success: false,
    })
  })

  test.skipIf(isForOneProcess('each process counts the wrong tokens that it sees'))(
    'a wrong API token leaves a record, but a program that keeps sending it does not fill the log',
    async () => {
      const wrong = server.as({ 'x-api-token': 'wrong' })
      const failed = async () =>
        (await records('?event=login_failed')).events.filter(({ method }) => method === 'token').length
      const before = await failed()
      for (const expected of [1, 2]) {
        clock.pass(10 * 60_000)
        for (let n = 0; n < 5; n++) await wrong('GET', '/api/stats')
        expect(await failed()).toBe(before + expected)
      }
    },
  )

  test('pages go back in time without gap or repeat', async () => {
    const seen: string[] = []
    let next: string | undefined
    do {
      const page: { events: AuditRecord[]; next?: string } = await records(
        `?limit=3${next ? `&before=${next}` : ''}`,
      )
      seen.push(...page.events.map(({ id }) => id))
      next = page.next
    } while (next)
    const { events } = await records('?limit=200')
    expect(seen).toEqual(events.map(({ id }) => id))
    expect(events.map(({ time }) => time)).toEqual(
      events
        .map(({ time }) => time)
        .toSorted()
        .toReversed(),
    )
    expect((await server.call('GET', '/api/security/audit?limit=0')).status).toBe(400)
    expect((await server.call('GET', '/api/security/audit?event=nothing')).status).toBe(400)
  })

  test('nodes and guest links leave records too', async () => {
    await server.call('PUT', '/api/guests/metadata/lab-pve1-100', { customUrl: 'https://a.lan' })
    const node = {
      type: 'pve',
      name: 'audited',
      host: 'https://127.0.0.1:9',
      tokenName: 'a@pam!b',
      tokenValue: 'x',
      verifySSL: false,
    }
    const { body } = await server.call('POST', '/api/config/nodes', node)
    const { id } = body as { id: string }
    await server.call('PUT', `/api/config/nodes/${id}`, { type: 'pve', name: 'renamed' })
    await server.call('DELETE', `/api/config/nodes/${id}`)
    const { events } = await records('?limit=4')
    expect(events.map(({ event, target }) => [event, target])).toEqual([
      ['node_removed', 'renamed'],
      ['node_changed', 'renamed'],
      ['node_added', 'audited'],
      ['guest_link_changed', 'lab-pve1-100'],
    ])
  })
})

describe('[S22] records of what failed, and of what was only tried', () => {
  test('a connection that is tested, and one that cannot be', async () => {
    clock.pass(61_000)
    const probe = {
      type: 'pve',
      host: 'https://127.0.0.1:9',
      tokenName: 'a@pam!b',
      tokenValue: 'canary-value',
    }
    await server.call('POST', '/api/config/nodes/test-connection', { ...probe, verifySSL: false })
    const { events } = await records('?event=connection_tested')
    expect(events[0]).toMatchObject({ target: 'https://127.0.0.1:9', method: 'token', address: '127.0.0.1' })
    expect(events[0]!.success).toBe(false)
    expect(JSON.stringify(events)).not.toContain('canary-value')
  })

  test('a host that registers itself without a right, counted however often it tries', async () => {
    const input = {
      type: 'pve',
      host: 'https://127.0.0.1:9',
      tokenId: 'a@pam!b',
      tokenValue: 'canary-value',
      serverName: 'evil',
      setupCode: 'f'.repeat(32),
    }
    for (let n = 0; n < 3; n++) {
      expect((await server.as({})('POST', '/api/auto-register', input)).status).toBeGreaterThanOrEqual(400)
    }
    const { events } = await records('?event=node_auto_registered')
    expect(events).toMatchObject([
      { success: false, target: 'https://127.0.0.1:9', method: 'none', address: '127.0.0.1', count: 3 },
    ])
    expect(JSON.stringify(events)).not.toContain('canary-value')
  })

  test('the log level says from what to what, also when it is silenced', async () => {
    for (const logLevel of ['silent', 'info']) {
      await server.call('PUT', '/api/config/system', { logLevel })
    }
    const { events } = await records('?event=settings_changed')
    expect(events.map(({ details }) => details)).toEqual([
      'logLevel (silent → info)',
      'logLevel (info → silent)',
    ])
  })
})
