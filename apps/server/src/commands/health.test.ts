import { createSelfSigned } from '@pulse/lab'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readVersion } from '../start/version.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'
import { askHealth } from './health.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const { version } = readVersion({})
/** The environment of a service, with a port that an administrator has set. */
const here = (more: Record<string, string> = {}) => ({
  PULSE_DATA_DIR: server.dataDir,
  FRONTEND_PORT: new URL(server.url).port,
  ...more,
})

describe('pulse health', () => {
  test('checks the server of this machine, whatever its address', async () => {
    expect(await askHealth([], here())).toBe('healthy')
    expect(await askHealth(['--expect', `v${version}`], here({ PULSE_LISTEN_ADDRESS: '0.0.0.0' }))).toBe(
      `healthy ${version}`,
    )
    fs.writeFileSync(path.join(server.dataDir, '.env'), `FRONTEND_PORT=${new URL(server.url).port}\n`, {
      mode: 0o600,
    })
    expect(await askHealth([], { PULSE_DATA_DIR: server.dataDir })).toBe('healthy')
    fs.rmSync(path.join(server.dataDir, '.env'))
  })

  test('fails for another version, without a server, and for a server that is not Pulse', async () => {
    await expect(askHealth(['--expect', '99.0.0'], here())).rejects.toThrow(
      `Pulse ${version} answers, not 99.0.0.`,
    )
    await expect(askHealth([], here({ FRONTEND_PORT: '9' }))).rejects.toThrow(
      'Pulse does not answer at 127.0.0.1 port 9',
    )
    for (const [status, body] of [
      [200, '{"status":"ok"}'],
      [200, '<html>'],
      [503, '{"status":"healthy"}'],
      [200, 'x'.repeat(200_000)],
    ] as const) {
      const other = http.createServer((_request, response) => void response.writeHead(status).end(body))
      await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve))
      const { port } = other.address() as AddressInfo
      await expect(askHealth([], here({ FRONTEND_PORT: String(port) })), body.slice(0, 20)).rejects.toThrow(
        /Pulse/,
      )
      other.close()
    }
  })

  test('waits for the given time', async () => {
    let asked = 0
    // a server that is not ready at first
    const late = http.createServer((_request, response) => {
      asked += 1
      response.writeHead(asked < 3 ? 503 : 200).end('{"status":"healthy"}')
    })
    await new Promise<void>((resolve) => void late.listen(0, '127.0.0.1', resolve))
    const env = here({ FRONTEND_PORT: String((late.address() as AddressInfo).port) })
    await expect(askHealth([], env)).rejects.toThrow('it answered with 503')
    expect(await askHealth(['--wait', '60'], env)).toBe('healthy')
    expect(asked).toBe(3)
    late.close()
  })

  test.each([[['--wait', 'long']], [['--wait']], [['--expect']], [['now']]])(
    '%s is not understood',
    async (args) => {
      await expect(askHealth(args, here())).rejects.toThrow('Usage: health')
    },
  )

  test('over HTTPS it accepts only the certificate of this server', async () => {
    const tls = async (name: string) => {
      const { certPem, keyPem } = await createSelfSigned(name, '192.0.2.1', 'Examples', Date.now())
      const file = (one: string, text: string) => {
        fs.writeFileSync(path.join(server.dataDir, one), text, { mode: 0o600 })
        return path.join(server.dataDir, one)
      }
      const files = { TLS_CERT_FILE: file(`${name}.pem`, certPem), TLS_KEY_FILE: file(`${name}.key`, keyPem) }
      return { HTTPS_ENABLED: 'true', ...files }
    }
    const [own, other] = [await tls('own'), await tls('other')]
    await server.restart({ API_TOKENS: adminToken, ...own })
    expect(await askHealth([], here(own))).toBe('healthy')
    await expect(askHealth([], here(other))).rejects.toThrow('does not answer')
    await expect(askHealth([], here())).rejects.toThrow('does not answer')
  })
})

test.each([
  [
    { PULSE_DEPLOYMENT: 'systemd', PULSE_BUILD: 'abc' },
    { deploymentType: 'systemd', isDocker: false },
  ],
  [
    { PULSE_DEPLOYMENT: 'proxmoxve', PULSE_BUILD: 'abc' },
    { deploymentType: 'proxmoxve', isDocker: false },
  ],
  [{ PULSE_DOCKER: 'true' }, { deploymentType: 'docker', isDocker: true }],
  [{ PULSE_DEPLOYMENT: 'other', PULSE_DOCKER: 'true' }, { deploymentType: 'docker' }],
])('[facts/platform 12.6] %s: an installation says what it is', (env, expected) => {
  expect(readVersion(env)).toMatchObject(expected)
})

test.each([
  ['/.dockerenv', { PULSE_BUILD: 'abc' }],
  ['/run/.containerenv', {}],
])('a container that is not of our image is no Docker installation, though it has %s', (mark, env) => {
  const found = readVersion(env, (file) => file === mark)
  expect(found).toMatchObject({ isDocker: false, containerized: true })
  expect(found.deploymentType).not.toBe('docker')
})
