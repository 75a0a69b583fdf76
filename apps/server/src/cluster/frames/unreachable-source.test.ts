import type { Alert, PlainState } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { type ClusterProcess, startCluster, type TestCluster } from '../../testing/cluster.ts'
import { hasNats } from '../../testing/nats-server.ts'
import { hasPostgres } from '../../testing/postgres-server.ts'

const found = hasNats() && hasPostgres()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

const limit = { timeout: within(120_000), interval: 500 }

describe.skipIf(!found)('[N 3] a source that does not answer the process that collects it', () => {
  let cluster: TestCluster
  let lab: Lab

  beforeAll(async () => {
    lab = await startLab({ nodes: 2, guests: 4, authDelayMs: 0, loadPeriodMs: 0 })
    cluster = await startCluster({
      judge: { PULSE_ROLES: 'judge' },
      serve: { PULSE_ROLES: 'serve' },
      collect: { PULSE_ROLES: 'collect' },
    })
  })
  afterAll(async () => {
    await cluster?.remove()
    await lab?.close()
  })

  test(
    'is in error at all processes and raises alerts, and is unknown only when that process is silent',
    { timeout: within(300_000) },
    async () => {
      const [, serve, collect] = cluster.processes as [ClusterProcess, ClusterProcess, ClusterProcess]
      const { url: host, fingerprint } = lab.clusters[0]!.nodes[0]!
      const { tokenId: tokenName, tokenSecret: tokenValue } = lab.credentials
      const node = { type: 'pve', name: 'pve', host, fingerprint, tokenName, tokenValue }
      expect((await serve.call('POST', '/api/config/nodes', node)).status).toBe(201)
      expect((await serve.call('POST', '/api/alerts/activate')).status).toBe(200)
      const state = async () => (await serve.call('GET', '/api/state')).body as PlainState
      const healths = async () => {
        const { nodes, connectionHealth } = await state()
        return [connectionHealth, ...new Set(nodes.map(({ connectionHealth: own }) => own))]
      }
      await expect.poll(healths, limit).toEqual([{ pve: true }, 'healthy'])
      for (const { name } of lab.clusters[0]!.nodes) lab.control.patchNode(name, { online: false })
      const seen = new Set<string>()
      const failing = async () => {
        const now = await healths()
        seen.add(JSON.stringify(now))
        return now
      }
      await expect.poll(failing, limit).toEqual([{ pve: false }, 'error'])
      const alerts = async () => {
        await failing()
        const all = (await serve.call('GET', '/api/alerts/active')).body as Alert[]
        return new Set(all.map(({ type }) => type))
      }
      await expect.poll(alerts, limit).toContain('connectivity')
      expect([...seen].filter((one) => one.includes('unknown'))).toEqual([])
      collect.freeze()
      await expect.poll(healths, limit).toEqual([{}, 'unknown'])
      collect.thaw()
      await expect.poll(healths, limit).toEqual([{ pve: false }, 'error'])
    },
  )
})
