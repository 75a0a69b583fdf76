import { createAuthority } from '@pulse/lab'
import fs from 'node:fs'
import https from 'node:https'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
afterEach(() => server.stop())

const get = (origin?: string) => server.as(origin === undefined ? {} : { origin })('GET', '/api/health')
const policy = async () => (await get()).headers.get('content-security-policy')!

describe('[facts/platform 7.4] headers of every answer', () => {
  test('no inline script, no guessing of types, no frame, no address given away', async () => {
    server = await startTestServer()
    for (const where of ['/api/health', '/api/nowhere', '/api/state']) {
      const { headers } = await server.as({})('GET', where)
      const csp = headers.get('content-security-policy')!
      expect(csp).toContain("script-src 'self';")
      expect(csp).toContain("frame-ancestors 'none'")
      expect(csp).not.toMatch(/unsafe|\*/)
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('same-origin')
      expect(headers.get('permissions-policy')).toContain('camera=()')
      expect(headers.get('strict-transport-security')).toBeNull()
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      expect(headers.get('www-authenticate')).toBeNull()
    }
  })

  test('embedding is opt-in: this site, and the named ones', async () => {
    server = await startTestServer(undefined, { ALLOW_EMBEDDING: 'true' })
    expect(await policy()).toContain("frame-ancestors 'self'")
    expect((await get()).headers.get('x-frame-options')).toBeNull()
    await server.restart({ ALLOW_EMBEDDING: 'true', ALLOWED_EMBED_ORIGINS: 'https://wall.example.com' })
    expect(await policy()).toContain("frame-ancestors 'self' https://wall.example.com")
    await server.restart({ ALLOWED_EMBED_ORIGINS: 'https://wall.example.com' })
    expect(await policy()).toContain("frame-ancestors 'none'")
  })
})

describe('[facts/platform 7.4] other origins', () => {
  const corsOf = async (origin?: string) => {
    const { headers } = await get(origin)
    return [headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')]
  }

  test('no origin unless listed', async () => {
    server = await startTestServer()
    expect(await corsOf('http://evil.example')).toEqual([null, null])
    expect((await get()).headers.get('vary')).toBeNull()
  })

  test('the listed one is echoed, with credentials; others get nothing', async () => {
    server = await startTestServer(undefined, { ALLOWED_ORIGINS: 'https://a.example, https://b.example' })
    expect(await corsOf('https://b.example')).toEqual(['https://b.example', 'true'])
    expect(await corsOf('https://c.example')).toEqual([null, null])
    expect(await corsOf('https://a.example.evil.example')).toEqual([null, null])
    expect((await get()).headers.get('vary')).toContain('Origin')
    const preflight = await server.as({ origin: 'https://a.example' })('OPTIONS', '/api/state')
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('X-CSRF-Token')
  })

  test('any origin means no credentials', async () => {
    server = await startTestServer(undefined, { ALLOWED_ORIGINS: '*' })
    expect(await corsOf('https://a.example')).toEqual(['*', null])
  })
})

test('[facts/platform 1] HTTPS: cookies are Secure, the answer says it stays so, TLS 1.1 is refused', async () => {
  const { certPem: cert, keyPem: key } = await createAuthority(Date.now())
  server = await startTestServer(undefined, { PULSE_AUTH_USER: 'root', PULSE_AUTH_PASS: 'correct horse' })
  const [certFile, keyFile] = ['cert.pem', 'key.pem'].map((name) => path.join(server.dataDir, name))
  fs.writeFileSync(certFile!, cert)
  fs.writeFileSync(keyFile!, key)
  await server.restart({
    PULSE_AUTH_USER: 'root',
    PULSE_AUTH_PASS: 'correct horse',
    HTTPS_ENABLED: 'true',
    TLS_CERT_FILE: certFile,
    TLS_KEY_FILE: keyFile,
  })
  expect(server.url).toMatch(/^https:/)
  const answer = await ask('/api/login', { username: 'root', password: 'correct horse' })
  for (const cookie of answer.headers['set-cookie']!) expect(cookie).toMatch(/; Secure; SameSite=Lax$/)
  expect(answer.headers['strict-transport-security']).toMatch(/max-age/)
  expect(JSON.parse((await ask('/api/security/status')).text)).toMatchObject({ hasHTTPS: true })
  await expect(ask('/api/health', undefined, { maxVersion: 'TLSv1.1' })).rejects.toThrow(/protocol|version/i)
})

function ask(where: string, body?: object, options: https.RequestOptions = {}) {
  return new Promise<{ text: string; headers: import('node:http').IncomingHttpHeaders }>(
    (resolve, reject) => {
      const request = https.request(server.url + where, {
        method: body ? 'POST' : 'GET',
        headers: body ? { 'content-type': 'application/json' } : {},
        rejectUnauthorized: false,
        agent: false,
        ...options,
      })
      request.on('error', reject)
      request.on('response', (response) => {
        let text = ''
        response.on('data', (chunk) => (text += String(chunk)))
        response.on('end', () => resolve({ text, headers: response.headers }))
      })
      request.end(body && JSON.stringify(body))
    },
  )
}
