import type { Alert, NodeConfig } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import { acceleratedClock } from '@pulse/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { steppedClock } from '../testing/people.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'

const clock = steppedClock(acceleratedClock(20, Date.now()))
const soonMs = within(60_000)

let lab: Lab
let server: TestServer
beforeAll(async () => {
  lab = await startLab({ nodes: 1, guests: 2, pbs: 1, pmg: 1, authDelayMs: 0, loadPeriodMs: 0 })
  server = await startTestServer(clock, { API_TOKENS: adminToken })
})
afterAll(async () => {
  await server.stop()
  await lab.close()
})

/** The form's input without a fingerprint. The hosts of the lab have self-signed certificates. */
function inputs() {
  const [node, backups, gateway] = [lab.clusters[0]!.nodes[0]!, lab.pbs[0]!, lab.pmg[0]!]
  const { tokenId: tokenName, tokenSecret: tokenValue } = lab.credentials
  return {
    pve: { host: node, input: { tokenName, tokenValue } },
    pbs: {
      host: backups,
      input: { tokenName: backups.credentials.tokenId, tokenValue: backups.credentials.tokenSecret },
    },
    pmg: {
      host: gateway,
      input: { user: gateway.credentials.auditor.user, password: gateway.credentials.auditor.password },
    },
  }
}

test.each(['pve', 'pbs', 'pmg'] as const)(
  'a test of a %s whose certificate is not trusted says so, and shows the certificate to compare',
  async (type) => {
    const { host, input } = inputs()[type]
    const call = (more: object = {}) =>
      server.call('POST', '/api/config/nodes/test-connection', { type, host: host.url, ...input, ...more })
    expect(await call()).toMatchObject({
      status: 400,
      body: {
        code: 'connection_test_failed',
        untrusted: true,
        details: { fingerprint: host.fingerprint },
      },
    })
    expect((await call({ fingerprint: host.fingerprint })).status).toBe(200)
    const nowhere = await call({ host: 'https://127.0.0.1:9' })
    expect(nowhere.status).toBe(400)
    expect(nowhere.body).not.toHaveProperty('untrusted')
  },
)

test.each([
  ['pve', 'Cluster pve cannot be monitored: its certificate is not trusted: '],
  ['pbs', 'Backup server pbs cannot be monitored: its certificate is not trusted: '],
  ['pmg', 'Mail gateway pmg cannot be monitored: its certificate is not trusted: '],
] as const)('a stored %s is called that in its card and in its alert', async (type, text) => {
  const { host, input } = inputs()[type]
  const added = await server.call('POST', '/api/config/nodes', { type, name: type, host: host.url, ...input })
  const { id } = added.body as { id: string }
  const card = async () =>
    ((await server.call('GET', '/api/config/nodes')).body as NodeConfig[]).find((one) => one.id === id)!
  await vi.waitFor(async () => expect(await card()).toMatchObject({ status: 'error', untrusted: true }), {
    timeout: soonMs,
    interval: 100,
  })
  await vi.waitFor(
    async () => {
      const alerts = (await server.call('GET', '/api/alerts/active')).body as Alert[]
      expect(alerts.map(({ message }) => message)).toContainEqual(expect.stringContaining(text))
    },
    { timeout: soonMs, interval: 100 },
  )
  await server.call('PUT', `/api/config/nodes/${id}`, { type, fingerprint: host.fingerprint, ...input })
  await vi.waitFor(async () => expect(await card()).toMatchObject({ status: 'connected' }), {
    timeout: soonMs,
    interval: 100,
  })
  expect(await card()).not.toHaveProperty('untrusted')
})
