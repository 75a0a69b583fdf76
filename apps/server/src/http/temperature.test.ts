import { type Lab, startLab } from '@pulse/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registerMessages } from '../temperature/show.ts'
import { steppedClock } from '../testing/people.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { within } from '../../../../scripts/test-limits.ts'

const clock = steppedClock()
let lab: Lab
let server: TestServer
let connectionId: string
beforeAll(async () => {
  lab = await startLab({ nodes: 2, guests: 2, authDelayMs: 0, loadPeriodMs: 0 })
  server = await startTestServer(clock)
  const [node] = lab.clusters[0]!.nodes
  const { tokenId, tokenSecret } = lab.credentials
  const { body } = await server.call('POST', '/api/config/nodes', {
    type: 'pve',
    name: 'lab',
    host: node!.url,
    tokenName: tokenId,
    tokenValue: tokenSecret,
    fingerprint: node!.fingerprint,
  })
  connectionId = (body as { id: string }).id
})
afterAll(async () => {
  await server.stop()
  await lab.close()
})

const registerPath = '/api/diagnostics/temperature-proxy/register-nodes'
const nodes = async () => {
  clock.pass(7_000)
  const { body } = await server.call('GET', '/api/temperature/nodes')
  return (body as { nodes: { node: string; address?: string; status: string; port: number }[] }).nodes
}
const put = (node: string, body: unknown) =>
  server.call('PUT', `/api/temperature/nodes/${connectionId}/${encodeURIComponent(node)}`, body)

describe('[spec 2 §2] the check of the temperature helper', () => {
  test('off by default: nothing to check, no key', async () => {
    await expect.poll(async () => (await nodes()).length, { timeout: within(30_000) }).toBe(2)
    expect((await nodes()).map(({ status }) => status)).toEqual(['off', 'off'])
    expect((await server.call('GET', '/api/system/proxy-public-key')).status).toBe(404)
    expect((await server.call('GET', '/api/temperature/setup-script')).status).toBe(404)
    expect((await server.call('POST', registerPath)).body).toEqual({
      success: false,
      message: registerMessages.none,
      nodes: [],
    })
  })

  test('a node that is switched on and not prepared is named with the reason', async () => {
    const [first] = await nodes()
    // no server listens on this port
    expect((await put(first!.node, { enabled: true, port: 1 })).body).toMatchObject({
      enabled: true,
      port: 1,
      status: 'not_set_up',
    })
    const key = await server.call('GET', '/api/system/proxy-public-key')
    expect(key.text).toMatch(/^ssh-ed25519 \S{68} pulse-sensors\n$/)
    expect(key.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect((await server.call('POST', registerPath)).body).toEqual({
      success: false,
      message: registerMessages.some,
      nodes: [
        {
          name: first!.node,
          ssh_ready: false,
          error: `${first!.node}: refused the connection: is its SSH service running?`,
        },
      ],
    })
    const report = await server.call('POST', '/api/system/verify-temperature-ssh', {
      nodes: `${first!.node} pve-unknown <b>`,
    })
    expect(report.text).toBe(
      `${first!.node}: refused the connection: is its SSH service running?\n` +
        '2 of the names given: not switched on, or not a node of a connection\n',
    )
  })

  test('the script carries the key and the addresses, and nothing else gets into it', async () => {
    const script = await server.call('GET', '/api/temperature/setup-script?from=192.0.2.1,2001:db8::/32')
    expect(script.text).toContain('from="192.0.2.1,2001:db8::/32" ssh-ed25519 ')
    for (const from of ["'; id '", '$(id)', '*', '1.2.3.4 5.6.7.8']) {
      const { status } = await server.call(
        'GET',
        `/api/temperature/setup-script?from=${encodeURIComponent(from)}`,
      )
      expect(status, from).toBe(400)
    }
  })

  test('the switch outlives a restart, and off means off', async () => {
    const [first] = await nodes()
    await server.restart()
    await expect.poll(async () => (await nodes())[0]?.status, { timeout: within(30_000) }).toBe('not_set_up')
    expect((await put(first!.node, { enabled: false })).body).toMatchObject({ status: 'off' })
    expect((await server.call('GET', '/api/system/proxy-public-key')).status).toBe(404)
  })

  test.each(['pve9', '-oProxyCommand=id', 'pve1;id', '../x', 'a'.repeat(300)])(
    '%s is no node of a connection',
    async (name) => {
      clock.pass(7_000)
      expect([400, 404, 405]).toContain((await put(name, { enabled: true })).status)
    },
  )

  test('the legacy fields of the health call stay false', async () => {
    const { body } = await server.call('GET', '/api/health')
    expect(body).toMatchObject({ legacySSHDetected: false, recommendProxyUpgrade: false })
  })
})
