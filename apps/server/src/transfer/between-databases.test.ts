import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { argon2id } from '../auth/password.ts'
import { realClock } from '../edges.ts'
import { type ClusterProcess, startCluster, type TestCluster } from '../testing/cluster.ts'
import { isOnPostgres } from '../testing/database-of-tests.ts'
import { hasNats } from '../testing/nats-server.ts'
import { addUser, login } from '../testing/people.ts'
import { hasPostgres } from '../testing/postgres-server.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'
import { storeSecrets } from '../testing/stored-secrets.ts'
import { exportCost, open } from './envelope.ts'

const found = hasNats() && hasPostgres()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

const passphrase = 'a passphrase of some length'
/** as separate processes have it */
const realHashing = { password: argon2id, exportCost }
const env = { API_TOKENS: adminToken }
const aFolder = () => fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-between-'))
/** What differs between any two installations, such as the token of the environment, which has made the others. */
const passing = ['exportedAt', 'madeBy', 'madeWith']
type Installation = Pick<TestServer, 'call' | 'as'>

// the first installation has its own file
describe.skipIf(!found || isOnPostgres)('[N 6] an export', () => {
  let cluster: TestCluster
  let folder: TestServer
  let serve: Installation
  let judge: Installation
  let secrets: Record<string, string>

  beforeAll(async () => {
    folder = await startTestServer(realClock, env, aFolder(), realHashing)
    cluster = await startCluster({
      judge: { PULSE_ROLES: 'collect,judge' },
      serve: { PULSE_ROLES: 'serve' },
    })
    ;[judge, serve] = cluster.processes as [ClusterProcess, ClusterProcess]
    secrets = await storeSecrets(folder)
  })
  afterAll(async () => {
    await cluster?.remove()
    await folder?.stop()
  })

  async function exportOf({ call }: Installation) {
    const { status, text, body } = await call('POST', '/api/config/export', { passphrase })
    expect([status, text]).toEqual([200, expect.any(String)])
    const { data } = body as { data: string }
    const content = JSON.parse(await open(Buffer.from(data, 'base64'), passphrase), (key, value: unknown) =>
      passing.includes(key) ? undefined : value,
    ) as Record<string, unknown>
    return { data, content }
  }
  async function importInto({ call }: Installation, data: string) {
    const input = { passphrase, data, confirmDestinations: true }
    const { status, text } = await call('POST', '/api/config/import', input)
    expect([status, text]).toEqual([200, expect.any(String)])
  }

  test('of a data folder brings everything into processes with PostgreSQL, and all of them know it', async () => {
    const before = await exportOf(folder)
    expect(JSON.stringify(before.content)).toContain(secrets['node'])
    await importInto(serve, before.data)
    expect((await exportOf(serve)).content).toEqual(before.content)
    expect((await login(serve, 'anna')).status).toBe(200)
    const withToken = serve.as({ 'x-api-token': secrets['apiToken']! })
    expect((await withToken('GET', '/api/state')).status).toBe(200)
    // the process that collects asks the nodes that another one has imported
    const sources = async () =>
      (await judge.call('GET', '/metrics')).text.match(/pulse_cluster_sources (\d+)/)?.[1]
    await expect.poll(sources, { timeout: within(60_000) }).toBe('2')
  })

  test('of such processes brings everything back into a data folder', async () => {
    await addUser(serve, 'ben', 'viewer')
    const before = await exportOf(serve)
    const fresh = await startTestServer(realClock, env, aFolder(), realHashing)
    await importInto(fresh, before.data)
    expect((await exportOf(fresh)).content).toEqual(before.content)
    expect((await login(fresh, 'ben')).status).toBe(200)
    expect((await login(fresh, 'anna')).status).toBe(200)
    await fresh.stop()
  })
})
