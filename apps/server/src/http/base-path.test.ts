import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { addUser, password } from '../testing/people.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'
import { createBasePath } from './base-path.ts'

const page =
  '<!doctype html><html><head><link href="/logo.svg"><script src="/assets/a.js"></script></head><a href="https://example.test/x"></a></html>'

let server: TestServer
let webDir: string
beforeAll(async () => {
  webDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-web-'))
  fs.mkdirSync(path.join(webDir, 'assets'))
  fs.writeFileSync(path.join(webDir, 'index.html'), page)
  fs.writeFileSync(path.join(webDir, 'assets/a.js'), 'program')
  server = await startTestServer(undefined, {
    API_TOKENS: adminToken,
    PULSE_PUBLIC_URL: 'https://example.test/monitor/pulse/',
    PULSE_FRONTEND_DIR: webDir,
  })
  await addUser(server, 'anna', 'admin')
})
afterAll(async () => {
  await server.stop()
  fs.rmSync(webDir, { recursive: true })
})

const base = '/monitor/pulse'

describe('Pulse below a path', () => {
  test.each([base, ''])(
    'answers calls below "%s": a proxy may take the path away, or leave it',
    async (before) => {
      expect((await server.call('GET', `${before}/api/health`)).body).toMatchObject({ status: 'healthy' })
      expect((await server.call('GET', `${before}/assets/a.js`)).text).toBe('program')
      for (const requested of ['/', '/proxmox/overview', ''])
        expect((await server.call('GET', before + requested || '/')).text, requested).toContain(
          '<meta name="base-path"',
        )
      expect((await server.call('GET', `${before}/api/nowhere`)).status).toBe(404)
    },
  )

  test('and nothing below a path that only begins like it', async () => {
    expect((await server.call('GET', `${base}x/api/health`)).text).not.toContain('healthy')
    expect((await server.call('GET', `${base}x/assets/a.js`)).status).toBe(404)
  })

  test('the document knows its place, and asks for what is of this site there', async () => {
    const { text, headers } = await server.call('GET', `${base}/proxmox/overview`)
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(text).toContain(`<meta name="base-path" content="${base}" />`)
    expect(text).toContain(`<link href="${base}/logo.svg"><script src="${base}/assets/a.js">`)
    expect(text).toContain('href="https://example.test/x"')
  })

  test('cookies are for that path alone: others live at this site too', async () => {
    const { headers, status } = await server.as({})('POST', `${base}/api/login`, {
      username: 'anna',
      password,
    })
    expect(status).toBe(200)
    const cookies = headers.getSetCookie()
    expect(cookies.map((text) => text.split('=')[0]).toSorted()).toEqual(['pulse_csrf', 'pulse_session'])
    for (const text of cookies) expect(text).toContain(`; Path=${base};`)
  })

  test('[collection 4.2] the live connection is there', async () => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}${base}/ws?token=${adminToken}`)
    const [first] = await new Promise<[Buffer]>((resolve, reject) => {
      socket.once('message', (data: Buffer) => resolve([data]))
      socket.once('error', reject)
    })
    socket.terminate()
    expect(JSON.parse(String(first))).toMatchObject({ type: 'welcome' })
  })

  test('single sign-on comes back to it, and so do commands for hosts', async () => {
    const { body } = await server.call('GET', '/api/security/oidc')
    expect(body).toMatchObject({ defaultRedirect: `https://example.test${base}/api/oidc/callback` })
    const { headers, status } = await server.as({})('GET', `${base}/api/oidc/callback`)
    expect([status, headers.get('location')]).toEqual([
      302,
      `${base}/?oidc=error&oidc_error=oidc_init_failed`,
    ])
    const setup = await server.call('GET', '/api/agents/docker/setup')
    expect(setup.text).toContain(`https://example.test${base}`)
  })
})

test.each([
  ['/pulse', '/pulse/api', '/api'],
  ['/pulse', '/pulse?x', '/?x'],
  ['/pulse', '/pulse', '/'],
  ['/pulse', '/pulsexy', '/pulsexy'],
  ['/pulse', '/pulse/pulse/x', '/pulse/x'],
  ['/pulse', '//pulse/x', '//pulse/x'],
  ['', '/pulse/x', '/pulse/x'],
])('below "%s" the address %s is %s', (path, url, expected) => {
  expect(createBasePath(path).strip(url)).toBe(expected)
})
