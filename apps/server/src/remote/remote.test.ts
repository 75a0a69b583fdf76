import type { PlainState } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { type ClusterProcess, startCluster, type TestCluster } from '../testing/cluster.ts'
import { hasNats } from '../testing/nats-server.ts'
import { hasPostgres } from '../testing/postgres-server.ts'
import { runMain } from '../testing/run-main.ts'
import { aSiteUser, startSiteNats } from '../testing/site-nats.ts'

const found = hasNats() && hasPostgres()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

const limit = { timeout: within(60_000) }

describe.skipIf(!found)('[N 4] a collector at another site', () => {
  const users = { Berlin: aSiteUser(), Rome: aSiteUser() }
  let cluster: TestCluster
  let lab: Lab
  let folder: string
  let home: ClusterProcess
  let berlin: ClusterProcess
  let key: string

  const file = (name: string, text: string) => {
    const at = path.join(folder, name)
    fs.writeFileSync(at, text, { mode: 0o600 })
    return at
  }
  async function siteKey(...args: string[]) {
    const { code, output } = await runMain(path.join(folder, 'command'), {
      args: ['site-key', ...args],
      env: { ...cluster.shared },
    })
    expect([code, output]).toEqual([0, expect.any(String)])
    return /^[A-Za-z0-9+/]{43}=$/m.exec(output)![0]
  }
  const remote = (site: keyof typeof users, own: string) => ({
    PULSE_DATABASE_URL: '',
    PULSE_ENCRYPTION_KEY_FILE: '',
    API_TOKENS: '',
    PULSE_ROLES: 'collect',
    PULSE_SITE: site,
    PULSE_SITE_KEY_FILE: file(`${site}.key`, `${own}\n`),
    PULSE_NATS_CREDENTIALS_FILE: file(`${site}.creds`, users[site].credentials),
  })
  const guests = async () => {
    const { vms, containers } = (await home.call('GET', '/api/state')).body as PlainState
    return [...vms, ...containers].map(({ name }) => name)
  }

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-remote-'))
    lab = await startLab({ nodes: 2, guests: 6, authDelayMs: 0, loadPeriodMs: 0 })
    cluster = await startCluster({ home: {} }, () => startSiteNats(users))
    home = cluster.processes[0]!
    key = await siteKey('Berlin')
    berlin = await cluster.add('berlin', remote('Berlin', key))
    const { url: host, fingerprint } = lab.clusters[0]!.nodes[0]!
    const { tokenId: tokenName, tokenSecret: tokenValue } = lab.credentials
    const node = { type: 'pve', name: 'pve', site: 'Berlin', host, fingerprint, tokenName, tokenValue }
    const { status, text } = await home.call('POST', '/api/config/nodes', node)
    expect([status, text]).toEqual([201, expect.any(String)])
  })
  afterAll(async () => {
    await cluster?.remove()
    await lab?.close()
    fs.rmSync(folder, { recursive: true, force: true })
  })

  test('polls the hosts of its site, and the pages show them', async () => {
    await expect.poll(guests, limit).toHaveLength(6)
    const { body } = await home.call('GET', '/api/config/nodes')
    expect(body).toMatchObject([{ status: 'connected', site: 'Berlin' }])
    expect((await berlin.as({})('GET', '/api/health/ready')).status).toBe(200)
    expect((await berlin.as({})('GET', '/metrics')).text).toContain('pulse_cluster_sources 1')
  })
})
