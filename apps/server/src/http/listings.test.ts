import { PlainState } from '@pulse/contract'
import { type Lab, startLab } from '@pulse/lab'
import { acceleratedClock } from '@pulse/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

let lab: Lab
let server: TestServer
let state: PlainState

const read = async (path: string) => (await server.call('GET', path)).body as Record<string, unknown>

beforeAll(async () => {
  lab = await startLab({ nodes: 1, guests: 12, pbs: 1, authDelayMs: 0, loadPeriodMs: 0 })
  server = await startTestServer(acceleratedClock(20, Date.now()))
  const [node] = lab.clusters[0]!.nodes
  const [pbs] = lab.pbs
  for (const [type, { url: host, fingerprint }, credentials] of [
    ['pve', node!, lab.credentials],
    ['pbs', pbs!, pbs!.credentials],
  ] as const) {
    const { status } = await server.call('POST', '/api/config/nodes', {
      type,
      name: type,
      host,
      fingerprint,
      tokenName: credentials.tokenId,
      tokenValue: credentials.tokenSecret,
      monitorBackups: true,
    })
    expect(status).toBe(201)
  }
  await vi.waitFor(
    async () => {
      state = PlainState.parse(await read('/api/state'))
      const { pveBackups, pbsBackups, pbs, storage } = state
      for (const list of [...Object.values(pveBackups), pbsBackups, pbs, storage])
        expect(list.length).toBeGreaterThan(0)
    },
    { timeout: within(120_000), interval: 100 },
  )
})
afterAll(async () => {
  await server.stop()
  await lab.close()
})

/** Backups arrive storage by storage, so a list may have grown since the state was read. */
const untilEqual = (compare: () => Promise<void>) =>
  vi.waitFor(
    async () => {
      state = PlainState.parse(await read('/api/state'))
      await compare()
    },
    { timeout: within(30_000), interval: 100 },
  )

const idsOf = (list: unknown) => (list as { id: string }[]).map(({ id }) => id).sort()

test('[facts/collection 4.7] backups of all sources stand under every name that 4.x gave them', async () => {
  await untilEqual(async () => {
    for (const path of ['/api/backups', '/api/backups/unified']) {
      const { pveBackups, pbsBackups, pmgBackups, backups } = state
      const body = await read(path)
      const lists = [
        [(body['pveBackups'] as typeof pveBackups).storageBackups, pveBackups.storageBackups],
        [body['storageBackups'], pveBackups.storageBackups],
        [body['guestSnapshots'], pveBackups.guestSnapshots],
        [body['backupTasks'], pveBackups.backupTasks],
        [body['pbsBackups'], pbsBackups],
        [body['pmgBackups'], pmgBackups],
        [(body['backups'] as typeof backups).pve.guestSnapshots, pveBackups.guestSnapshots],
        [(body['backups'] as typeof backups).pbs, pbsBackups],
      ] as const
      for (const [got, expected] of lists) expect(idsOf(got)).toEqual(idsOf(expected))
    }
  })
})

test('[facts/collection 4.7] the lists alone: files of PVE, backup servers, snapshots', async () => {
  await untilEqual(async () => {
    expect(idsOf((await read('/api/backups/pve'))['backups'])).toEqual(idsOf(state.pveBackups.storageBackups))
    expect((await read('/api/backups/pbs'))['instances']).toMatchObject(
      state.pbs.map(({ id, datastores }) => ({ id, datastores: datastores.map(({ name }) => ({ name })) })),
    )
    expect(idsOf((await read('/api/snapshots'))['snapshots'])).toEqual(idsOf(state.pveBackups.guestSnapshots))
  })
})

test('[facts/collection 4.7] one storage by its id; an unknown one is 404', async () => {
  for (const { id, name } of state.storage) {
    expect(await read(`/api/storage/${encodeURIComponent(id)}`)).toMatchObject({
      data: { id, name },
      timestamp: expect.any(Number),
    })
  }
  expect(await server.call('GET', '/api/storage/nowhere')).toMatchObject({
    status: 404,
    body: { code: 'storage_not_found', error: 'There is no storage with the id "nowhere".' },
  })
})
