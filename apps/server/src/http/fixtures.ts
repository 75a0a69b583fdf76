import type { AuditRecord, NodeConfig, SetupScriptUrlReply } from '@pulse/contract'
// This file serves tests only, like the package it needs.
import { type Lab, startLab } from '@pulse/lab'
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { addToken, addUser, type SkippingClock, signIn, steppedClock } from '../testing/people.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'

/**
 * Hosts, a server that may monitor them, and the caller that requests scripts. Each test begins without
 * nodes.
 */
export interface SetupGround {
  clock: SkippingClock
  lab: Lab
  server: TestServer
  admin: Record<string, string>
  viewer: Record<string, string>
  reader: Record<string, string>
}

export function givenSetup() {
  const ground = { clock: steppedClock() } as SetupGround
  beforeAll(async () => {
    const lab = await startLab({ pbs: 1, nodes: 3, guests: 6, authDelayMs: 0, loadPeriodMs: 0 })
    const env = { API_TOKENS: adminToken, PULSE_TRUSTED_PROXIES: '127.0.0.9' }
    const server = await startTestServer(ground.clock, env)
    await addUser(server, 'anna', 'admin')
    await addUser(server, 'vera', 'viewer')
    const admin = await signIn(server, 'anna')
    const viewer = await signIn(server, 'vera')
    const reader = (await addToken(server.call, { scopes: ['monitoring:read'] })).headers
    Object.assign(ground, { lab, server, admin, viewer, reader })
  })
  afterAll(async () => {
    await ground.server.stop()
    await ground.lab.close()
  })
  beforeEach(() => ground.clock.pass(61_000))
  afterEach(async () => {
    // of several servers, another one answers each time, and it may not know the newest one yet
    const ids = async () => (await nodes()).map(({ id }) => id)
    await expect.poll(async () => String(await ids()) === String(await ids())).toBe(true)
    for (const id of await ids()) await ground.server.call('DELETE', `/api/config/nodes/${id}`)
  })

  const nodes = async () => (await ground.server.call('GET', '/api/config/nodes')).body as NodeConfig[]
  const labNode = (n = 0) => ground.lab.clusters[0]!.nodes[n]!

  async function issue(given: Record<string, unknown> = {}) {
    const input = { type: 'pve', host: labNode().url, backupPerms: true, ...given }
    const { status, body, text } = await ground.server.as(ground.admin)(
      'POST',
      '/api/setup-script-url',
      input,
    )
    expect(status, text).toBe(200)
    return body as SetupScriptUrlReply
  }

  const registration = (given: Record<string, unknown> = {}) => ({
    type: 'pve',
    host: labNode().url,
    serverName: labNode().name,
    tokenId: 'pulse-monitor@pam!pulse-test',
    tokenValue: randomUUID(),
    fingerprint: labNode().fingerprint,
    ...given,
  })
  const register = (given: Record<string, unknown>, headers: Record<string, string> = {}) =>
    ground.server.as(headers)('POST', '/api/auto-register', registration(given))

  const audit = async (event: string) => {
    const { body } = await ground.server.call('GET', `/api/security/audit?event=${event}&limit=1`)
    return (body as { events: AuditRecord[] }).events[0]
  }

  return { ground, nodes, labNode, issue, register, audit }
}
