import type {
  BackTest,
  Charts,
  NodeConfig,
  PastState,
  PlainState,
  SetupScriptUrlReply,
  StorageGrowth,
} from '@pulse/contract'
import { expect, vi } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import type { Estate } from './fixtures.ts'

/** Adds a cluster by its setup script and the others manually, then waits for their data. */
export async function askForConnections(estate: Estate) {
  const { call, lab, server } = estate
  const [node] = lab.clusters[0]!.nodes
  const script = { type: 'pve', host: node!.url } as const
  const { setupCode } = (await call('postSetupScriptUrl', { body: { ...script, backupPerms: true } }))
    .body as SetupScriptUrlReply
  await call('getSetupScript', {
    as: { 'x-setup-code': setupCode },
    query: { ...script, backup_perms: 'true' },
  })
  const pve = { tokenName: lab.credentials.tokenId, tokenValue: lab.credentials.tokenSecret }
  const registered = await call('postAutoRegister', {
    as: {},
    body: {
      ...script,
      serverName: node!.name,
      tokenId: pve.tokenName,
      tokenValue: pve.tokenValue,
      setupCode,
      fingerprint: node!.fingerprint,
    },
  })
  await call('postTestConnection', {
    body: { ...script, ...pve, fingerprint: node!.fingerprint },
  })
  const [pbs] = lab.pbs
  const [pmg] = lab.pmg
  const backupServer = { type: 'pbs', name: 'pbs1', host: pbs!.url, fingerprint: pbs!.fingerprint }
  const secret = { tokenName: pbs!.credentials.tokenId, tokenValue: pbs!.credentials.tokenSecret }
  const { id } = (await call('postNode', { body: { ...backupServer, ...secret, monitorBackups: true } }))
    .body as { id: string }
  await call('postNodeTest', { params: { id } })
  const { nodeId } = registered.body as { nodeId: string }
  await call('putNode', { params: { id: nodeId }, body: { monitorPhysicalDisks: true } })
  const gateway = { type: 'pmg', name: 'pmg1', host: pmg!.url, fingerprint: pmg!.fingerprint }
  const { user, password } = pmg!.credentials
  await call('postNode', { body: { ...gateway, user, password } })
  const rows = async () => (await server.as(estate.session)('GET', '/api/config/nodes')).body as NodeConfig[]
  await vi.waitFor(
    async () => expect((await rows()).map(({ status }) => status)).toEqual(Array(3).fill('connected')),
    { timeout: within(60_000) },
  )
  await call('getNodes')
}

/** Waits until every list has entries, and the health of a disk was read. */
export async function askForWhatIsWatched(estate: Estate) {
  const { call, server } = estate
  const state = async () => (await server.as(estate.session)('GET', '/api/state')).body as PlainState
  await vi.waitFor(
    async () => {
      const { pveBackups, pbsBackups, pmgBackups, physicalDisks, ...rest } = await state()
      const { nodes, vms, containers, storage, cephClusters, pbs, pmg } = rest
      const checkedDisks = physicalDisks.filter(({ smartAt }) => smartAt !== undefined)
      const lists = { ...pveBackups, pbsBackups, pmgBackups, checkedDisks, nodes, vms, containers }
      const empty = Object.entries({ ...lists, storage, cephClusters, pbs, pmg })
        .filter(([, list]) => list.length === 0)
        .map(([name]) => name)
      expect(empty).toEqual([])
    },
    { timeout: within(60_000), interval: 200 },
  )
  await call('getState')
  await call('getPerformance')
  await call('getStats')
  await call('getSchedulerHealth')
  for (const name of ['getBackups', 'getUnifiedBackups', 'getPveBackups', 'getPbsBackups', 'getSnapshots'])
    await call(name)
  const { storage } = await state()
  await call('getStorage', { params: { id: storage[0]!.id } })
  for (const name of ['getHealth', 'getReadiness', 'getVersion', 'getApiReference', 'getMetrics'])
    await call(name)
  await askForThePast(estate)
  for (const name of ['putGuestMetadata', 'getGuestsMetadata', 'getGuestMetadata', 'deleteGuestMetadata'])
    await call(name)
}

/** Waits until a chart has two points, and a storage has grown. */
async function askForThePast({ call, lab, server, session }: Estate) {
  const guests = (await server.as(session)('GET', '/api/config/nodes')).body as NodeConfig[]
  // by the clock of the server
  let to = 0
  await vi.waitFor(
    async () => {
      const { data } = (await server.as(session)('GET', '/api/charts')).body as Charts
      const points = Object.values(data).find(({ cpu }) => cpu.length >= 2)!.cpu
      to = points.at(-1)!.timestamp + 1
    },
    { timeout: within(60_000), interval: 200 },
  )
  await call('getCharts')
  await call('getStorageCharts')
  const pve = guests.find(({ type }) => type === 'pve')!
  const range = { from: String(to - 3_600_000), to: String(to), points: '100' }
  const query = { kind: 'nodes', ids: `${pve.id}:pve1`, fields: 'cpu', ...range }
  await call('getHistorySeries', { query })
  // later than now is now, by the clock of the server
  const at = String(8.64e15)
  await vi.waitFor(
    async () => {
      const { body } = await server.as(session)('GET', `/api/history/state?at=${at}`)
      const { index } = (body as Partial<PastState>).frame ?? { index: {} }
      expect(Object.keys(index)).toContain('guests')
    },
    { timeout: within(60_000), interval: 200 },
  )
  await call('getHistoryState', { query: { at } })
  lab.control.patchStorage('local', { node: 'pve1', used: 80e9 })
  await vi.waitFor(
    async () => {
      const { body } = await server.as(session)('GET', `/api/history/changes?from=0&to=${at}`)
      expect((body as { grown: StorageGrowth[] }).grown.map(({ name }) => name)).toContain('local')
    },
    { timeout: within(60_000), interval: 200 },
  )
  await call('getHistoryChanges', { query: { from: '0', to: at } })
  await call('getHistoryStorage')
  await call('getHistoryTrends')
  // whether there was an alert until now depends on how fast the machine is
  lab.control.patchGuest(100, { status: 'running', cpu: 0.97 })
  await vi.waitFor(
    async () => {
      const { alerts } = (await call('postHistoryBackTest')).body as BackTest
      expect(alerts).not.toEqual([])
    },
    { timeout: within(60_000), interval: 200 },
  )
  lab.control.patchGuest(100, { cpu: null })
}

export const removeTheHistory = ({ call }: Estate) => call('deleteHistory')

export async function askForTemperatures({ call }: Estate) {
  const { nodes } = (await call('getTemperatureNodes')).body as {
    nodes: { connectionId: string; node: string }[]
  }
  const { connectionId, node } = nodes[0]!
  // no server listens on this port
  await call('putTemperatureNode', { params: { connectionId, node }, body: { enabled: true, port: 1 } })
  await call('getProxyPublicKey')
  await call('getTemperatureScript')
  await call('postRegisterNodes')
  await call('postVerifyTemperatureSsh', { body: { nodes: node } })
}

export async function askForServersNearby({ call, inRealTime }: Estate) {
  const discoverySubnet = '127.31.77.8/29'
  await call('postSystemSettings', { body: { discoveryEnabled: true, discoverySubnet } })
  await inRealTime(() => call('postDiscovery', { body: { subnet: discoverySubnet } }))
  await call('getDiscovery')
  await call('postSystemSettings', { body: { discoveryEnabled: false } })
}

export async function removeConnections({ call, answers }: Estate) {
  const [first] = answers.get('getNodes')!.body as NodeConfig[]
  await call('deleteNode', { params: { id: first!.id } })
}
