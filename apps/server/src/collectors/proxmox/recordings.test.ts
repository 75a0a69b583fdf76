import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { givenServer } from '../pbs/fixtures-server.ts'
import { givenGateway } from '../pmg/fixtures-gateway.ts'

const fixtures = path.resolve(import.meta.dirname, '../../../../../../shared/fixtures')
const hasFixtures = fs.existsSync(fixtures)
if (!hasFixtures) console.log('skipped: no ../shared/fixtures')

const recorded = (file: string): unknown =>
  (JSON.parse(fs.readFileSync(path.join(fixtures, file), 'utf8')) as { data: unknown }).data

test.skipIf(!hasFixtures)(
  '[style 4] recorded answers of PBS 3: figures, a broken datastore, snapshots',
  async () => {
    const { pass, records, state } = givenServer({
      '/version': { version: '3.2', release: '7' },
      '/admin/sync': [],
      '/nodes/localhost/status': recorded('pbs/pbs3-node-status.json'),
      '/status/datastore-usage': recorded('pbs/pbs3-datastore-usage-error.json'),
      '/admin/datastore/main/snapshots': recorded('pbs/pbs3-snapshots.json'),
      '/admin/datastore/main/namespace': [{ ns: '' }],
    })
    await pass(5)
    expect(records('pbs')).toMatchObject([{ version: '3.2.7', cpu: 0.0134, memoryUsed: 3_153_399_808 }])
    expect(records('datastores')).toMatchObject([
      { name: 'main', total: 3_998_639_849_472, used: 1_899_354_112_000, status: 'available' },
      { name: 'usb', status: 'error', error: expect.stringMatching(/unable to open chunk store/) },
    ])
    expect(records('datastores')[1]).not.toHaveProperty('total')
    expect(state().unreadable).toMatchObject([{ what: 'datastore usb' }])
    // The third is still being written.
    expect(records('pbsBackups')).toMatchObject([
      { vmid: '100', verified: true, verification: 'ok', comment: 'nextcloud', size: 5_400_000_000 },
      { vmid: '101', verified: false, verification: 'failed' },
    ])
  },
)

test.skipIf(!hasFixtures)('[style 4] recorded answers of PBS 4: usage and garbage collection', async () => {
  const { pass, records } = givenServer({
    '/status/datastore-usage': recorded('pbs/pbs42-datastore-usage.json'),
    '/admin/gc': recorded('pbs/pbs42-admin-gc.json'),
  })
  await pass(5)
  const [main] = records('datastores')
  expect(main).toMatchObject({ name: 'main', status: 'available', total: 247_212_277_760 })
  expect(main!.deduplicationFactor).toBeCloseTo(134_222_368 / 43_329_242)
  expect(records('pbs')[0]!.garbageJobs).toMatchObject([
    { store: 'main', status: 'ok', schedule: 'daily', removedBytes: 8_123, durationSeconds: 142 },
  ])
})

test.skipIf(!hasFixtures)('[style 4] recorded answers of PMG 9', async () => {
  const { pass, records, state } = givenGateway({
    '/config/cluster/status?list_single_node=1': recorded('pmg/pmg91-cluster-status-node-error.json'),
    '/statistics/mail?starttime=*': recorded('pmg/pmg91-statistics-mail.json'),
    '/quarantine/spamstatus': recorded('pmg/pmg91-quarantine-spamstatus.json'),
    '/quarantine/virusstatus': recorded('pmg/pmg91-quarantine-virusstatus.json'),
    '/nodes/mail1/postfix/qshape?queue=deferred': recorded('pmg/pmg91-qshape-deferred.json'),
  })
  await pass(5)
  const [gateway] = records('pmg')
  expect(gateway!.quarantine).toMatchObject({ spam: 8, virus: 2 })
  expect(gateway!.nodes).toMatchObject([
    { name: 'mail1', role: 'master', status: 'online', queueStatus: { deferred: 7 } },
    { name: 'mail2', role: 'node', status: 'offline', error: 'connection refused' },
  ])
  expect(state().unreadable).toMatchObject([{ what: 'node mail2' }])
})
