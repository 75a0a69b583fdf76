import type {
  CephCluster,
  Datastore,
  DockerContainer,
  DockerHost,
  Guest,
  MailGateway,
  Node,
  PbsServer,
  PhysicalDisk,
  Protection,
  RecordKind,
  SourceState,
  Storage,
} from '@pulse/contract'
import { connectionKey, figures } from '@pulse/contract'
import { protectionWords } from '../protection-words.ts'
import { changed, type Found, ran, resized, restarted, version } from './found-changes.ts'
import type { Fields } from './logged-fields.ts'

/** The fields of another record at the same time. */
export type Related = (kind: RecordKind, id: string) => Fields | undefined

/** What is noticed of a kind. */
export interface Noticed<R = never> {
  /** its notices are about the record of this kind with the same id */
  as?: RecordKind
  name: (record: R, related: Related, id: string) => string
  /** the node or machine that the record belongs to */
  where?: (record: R, related: Related, id: string) => string | undefined
  vmid?: (record: R) => number
  /** the arrival and removal of a record is a notice, too */
  comesAndGoes?: true
  /** the notices are those of another record */
  isElsewhere?: (record: R) => boolean
  /** what is wrong with a record on its arrival */
  onArrival?: (record: R) => Found | undefined
  /** nothing is known about its state; these fields from before are compared with the next known ones */
  unknown?: { is: (record: R) => boolean; fields: readonly string[] }
  changes: (before: R, after: R) => (Found | undefined)[]
}

const nameOf = (record: Fields | undefined, field = 'name') => record?.[field] as string | undefined

const hasNoStatus = ({ status }: { status: string }) => status === 'unknown'

const guestRun = ({ status, startedAt }: Guest) => ({
  isRunning: status === 'running',
  state: status,
  startedAt,
})
const sizeOf = (figure: 'cpus' | 'memorySize', guest: Guest) =>
  figures.guests[figure]!.read(guest) as number | undefined

/** PVE locks a guest for the time of its backup. */
function locked(before: Guest, after: Guest): Found | undefined {
  const [was, is] = [before, after].map(({ lock }) => lock === 'backup')
  return was === is ? undefined : { what: is ? 'backupStarted' : 'backupEnded' }
}

const guests: Noticed<Guest> = {
  name: ({ name }) => name,
  where: ({ node }) => node,
  vmid: ({ vmid }) => vmid,
  comesAndGoes: true,
  // of a guest on a node that does not answer
  unknown: {
    is: hasNoStatus,
    // the latter if Pulse has started meanwhile
    fields: ['status', 'startedAt', 'name', 'tags', 'cpus', 'memory', 'disk', 'disks', 'lock'],
  },
  changes(before, after) {
    const moved = changed('moved', before.node, after.node)
    if (hasNoStatus(before) || hasNoStatus(after)) return [moved]
    // The size is that of the file systems while the agent reports them, and else that of the volume.
    const isSameSource = (before.disks === undefined) === (after.disks === undefined)
    return [
      moved,
      ran(guestRun(before), guestRun(after)),
      resized('cpus', sizeOf('cpus', before), sizeOf('cpus', after)),
      resized('memorySize', sizeOf('memorySize', before), sizeOf('memorySize', after)),
      isSameSource ? resized('diskSize', before.disk?.total, after.disk?.total) : undefined,
      changed('renamed', before.name, after.name),
      changed('tagged', before.tags, after.tags),
      after.template && !before.template ? { what: 'converted' } : undefined,
      locked(before, after),
    ]
  },
}

const online = ({ status, startedAt }: Pick<Node | DockerHost, 'status' | 'startedAt'>) => ({
  isRunning: status === 'online',
  state: status,
  startedAt,
})

const nodes: Noticed<Node> = {
  name: ({ name }) => name,
  comesAndGoes: true,
  unknown: { is: hasNoStatus, fields: ['status', 'startedAt'] },
  changes: (before, after) => [
    hasNoStatus(before) || hasNoStatus(after) ? undefined : ran(online(before), online(after)),
    resized('cpus', before.cpuInfo?.cores, after.cpuInfo?.cores),
    resized('memorySize', before.memory?.total, after.memory?.total),
    version('pveVersion', before.pveVersion, after.pveVersion),
    version('kernelVersion', before.kernelVersion, after.kernelVersion),
  ],
}

/** The engine starts it again and again: between two attempts it has not stopped. */
const containerRun = ({ state, startedAt }: DockerContainer) => ({
  isRunning: state === 'running' || state === 'restarting',
  state,
  startedAt,
})

const dockerContainers: Noticed<DockerContainer> = {
  name: ({ name }) => name,
  where: ({ source }, related) => source && nameOf(related('dockerHosts', source), 'displayName'),
  comesAndGoes: true,
  changes: (before, after) => [
    ran(containerRun(before), containerRun(after)),
    version('image', before.image, after.image),
  ],
}

const dockerHosts: Noticed<DockerHost> = {
  name: ({ displayName }) => displayName,
  comesAndGoes: true,
  changes: (before, after) => [
    ran(online(before), online(after)),
    resized('cpus', before.cpus, after.cpus),
    resized('memorySize', before.totalMemoryBytes, after.totalMemoryBytes),
    version('dockerVersion', before.dockerVersion, after.dockerVersion),
    version('agentVersion', before.agentVersion, after.agentVersion),
  ],
}

const storage: Noticed<Storage> = {
  name: ({ name }) => name,
  where: ({ shared, node }) => (shared ? undefined : node),
  comesAndGoes: true,
  unknown: { is: hasNoStatus, fields: ['status'] },
  changes: (before, after) => [
    [before, after].some(hasNoStatus) ? undefined : changed('status', before.status, after.status),
  ],
}

const datastores: Noticed<Datastore> = {
  name: ({ name }) => name,
  where: ({ source }, related) => source && nameOf(related('pbs', source)),
  comesAndGoes: true,
  changes: (before, after) => [changed('status', before.status, after.status)],
}

const isFailing = (disk: PhysicalDisk) => figures.physicalDisks['healthy']!.read(disk) === false

const cephHealths: readonly string[] = ['HEALTH_OK', 'HEALTH_WARN', 'HEALTH_ERR']
const hasNoHealth = ({ health }: CephCluster) => !cephHealths.includes(health)

const cephClusters: Noticed<CephCluster> = {
  name: ({ name }) => name,
  comesAndGoes: true,
  // Ceph itself did not answer
  unknown: { is: hasNoHealth, fields: ['health'] },
  changes: (before, after) =>
    [before, after].some(hasNoHealth) ? [] : [changed('status', before.health, after.health)],
}

const physicalDisks: Noticed<PhysicalDisk> = {
  name: ({ devPath, model }) => `${devPath} ${model}`.trim(),
  where: ({ node }) => node,
  comesAndGoes: true,
  onArrival: (disk) => (isFailing(disk) ? { what: 'failing', to: disk.health } : undefined),
  changes: (before, after) => [
    isFailing(after) && !isFailing(before) ? changed('failing', before.health, after.health) : undefined,
  ],
}

const pbs: Noticed<PbsServer> = {
  name: ({ name }) => name,
  comesAndGoes: true,
  changes: (before, after) => [
    restarted(before.startedAt, after.startedAt),
    version('version', before.version, after.version),
  ],
}

const pmg: Noticed<MailGateway> = {
  name: ({ name }) => name,
  comesAndGoes: true,
  changes: (before, after) => [version('version', before.version, after.version)],
}

const protections: Noticed<Protection> = {
  as: 'guests',
  name: ({ vmid }, related, id) => nameOf(related('guests', id)) ?? String(vmid),
  where: (_, related, id) => nameOf(related('guests', id), 'node'),
  vmid: ({ vmid }) => vmid,
  changes(before, after) {
    const old = protectionWords(before)
    return protectionWords(after)
      .filter((word) => !old.includes(word) && word !== 'unverified')
      .map((word): Found => ({ what: 'unprotected', field: word }))
  },
}

/** The key of a backup server or mail gateway begins with its kind. */
function givenName({ name, kind }: SourceState): string {
  const prefix = kind === 'pbs' || kind === 'pmg' ? connectionKey(kind, '') : ''
  return name.startsWith(prefix) ? name.slice(prefix.length) : name
}

const sources: Noticed<SourceState> = {
  name: givenName,
  comesAndGoes: true,
  // That of a container host has an id for a name.
  isElsewhere: ({ kind }) => kind === 'docker',
  changes: (before, after) => [changed('renamed', givenName(before), givenName(after))],
}

const table: { [K in RecordKind]?: unknown } = {
  guests,
  nodes,
  storage,
  datastores,
  cephClusters,
  physicalDisks,
  pbs,
  pmg,
  dockerHosts,
  dockerContainers,
  protections,
  sources,
}

export const noticedOf = (kind: RecordKind): Noticed<Fields> | undefined =>
  table[kind] as Noticed<Fields> | undefined
