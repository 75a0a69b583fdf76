import { ErrorBody, type NodeConfig, type NodeInput, PlainState } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { steppedClock } from '../testing/people.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

/** A server without connections before each test, and the hosts that they are made for. */
export function nodesOfLab() {
  let lab: Lab
  let server: TestServer
  const clock = steppedClock()

  beforeAll(async () => {
    lab = await startLab({ nodes: 1, guests: 2, pbs: 2, pmg: 1, authDelayMs: 0, loadPeriodMs: 0 })
    server = await startTestServer(clock)
  })
  afterAll(async () => {
    await server.stop()
    await lab.close()
  })
  beforeEach(async () => {
    for (const { id } of await nodes()) await call('DELETE', `/${id}`)
    lab.control.resetRequests()
  })

  /** Advances the clock, because write calls are limited per minute. */
  function call(method: string, where: string, body?: unknown) {
    clock.pass(10_000)
    return server.call(method, `/api/config/nodes${where}`, body)
  }
  const nodes = async () => (await call('GET', '')).body as NodeConfig[]

  return {
    call,
    nodes,
    get lab() {
      return lab
    },
    get server() {
      return server
    },
    until: <T>(probe: () => T | Promise<T>) => vi.waitFor(probe, { timeout: within(30_000), interval: 50 }),
    health: async () => PlainState.parse((await server.call('GET', '/api/state')).body).connectionHealth,
    pbsInput(change: Partial<NodeInput> = {}): NodeInput {
      const [{ url: host, fingerprint, credentials }] = lab.pbs as [Lab['pbs'][number]]
      const { tokenId: tokenName, tokenSecret: tokenValue } = credentials
      return { type: 'pbs', name: 'vault', host, fingerprint, tokenName, tokenValue, ...change }
    },
    pmgInput(change: Partial<NodeInput> = {}): NodeInput {
      const [{ url: host, fingerprint, credentials }] = lab.pmg as [Lab['pmg'][number]]
      const { user, password } = credentials.auditor
      return { type: 'pmg', name: 'mail', host, fingerprint, user, password, ...change }
    },
    async added(input: NodeInput) {
      const { status, body } = await call('POST', '', input)
      expect(status, JSON.stringify(body)).toBe(201)
      return (body as { id: string }).id
    },
    async refused(method: string, where: string, body?: unknown, status = 400) {
      const answer = await call(method, where, body)
      expect(answer.status).toBe(status)
      return ErrorBody.parse(answer.body)
    },
  }
}
