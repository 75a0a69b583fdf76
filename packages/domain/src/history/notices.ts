import type {
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
import { figures } from '@pulse/contract'
import { protectionWords } from '../protection-words.ts'
import type { Fields } from './logged-fields.ts'

export type ChangeWord =
  | 'came'
  | 'went'
  | 'moved'
  | 'started'
  | 'stopped'
  | 'restarted'
  | 'resized'
  | 'renamed'
  | 'tagged'
  | 'failing'
  | 'status'
  | 'version'
  | 'unprotected'

type Value = string | number

/** A change that pages list. */
export interface ChangeNotice {
  at: number
  kind: RecordKind
  id: string
  /** of the record at that time */
  name: string
  what: ChangeWord
  /** the figure or field, if there are several */
  field?: string
  from?: Value
  to?: Value
}

type Found = Omit<ChangeNotice, 'at' | 'kind' | 'id' | 'name'>

interface Watched<R> {
  name: (record: R) => string
  /** the arrival and removal of a record is a notice, too */
  comesAndGoes?: true
  changes: (before: R, after: R) => (Found | undefined)[]
}

/** A start time that differs by less is the same start, measured again. */
const sameStartMs = 60_000

const when = <T>(isSo: boolean, found: () => T): T | undefined => (isSo ? found() : undefined)

function changed(what: ChangeWord, from: Value | undefined, to: Value | undefined, field?: string) {
  return when(from !== to, (): Found => ({
    what,
    ...(field !== undefined && { field }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }))
}

/** An unknown size is no other size. */
const resized = (field: string, from: Value | undefined, to: Value | undefined) =>
  from === undefined || to === undefined ? undefined : changed('resized', from, to, field)

const version = (field: string, from: string | undefined, to: string | undefined) =>
  from && to ? changed('version', from, to, field) : undefined

interface Running {
  isRunning: boolean
  state: string
  startedAt: number | undefined
}

/** Started, stopped, or restarted in between. */
function ran(before: Running, after: Running): Found | undefined {
  if (before.isRunning !== after.isRunning)
    return changed(after.isRunning ? 'started' : 'stopped', before.state, after.state)
  if (!after.isRunning || before.startedAt === undefined || after.startedAt === undefined) return undefined
  return when(after.startedAt - before.startedAt > sameStartMs, () => ({
    what: 'restarted' as const,
    from: before.startedAt!,
    to: after.startedAt!,
  }))
}

const guestRun = ({ status, startedAt }: Guest) => ({
  isRunning: status === 'running',
  state: status,
  startedAt,
})
const sizes = figures.guests
const sizeOf = (figure: 'cpus' | 'memorySize', guest: Guest) =>
  sizes[figure]!.read(guest) as number | undefined

const guests: Watched<Guest> = {
  name: ({ name }) => name,
  comesAndGoes: true,
  changes(before, after) {
    // of a guest on a node that does not answer
    const isKnown = before.status !== 'unknown' && after.status !== 'unknown'
    // The size is that of the file systems while the agent reports them, and else that of the volume.
    const isSameSource = (before.disks === undefined) === (after.disks === undefined)
    return [
      changed('moved', before.node, after.node),
      isKnown ? ran(guestRun(before), guestRun(after)) : undefined,
      resized('cpus', sizeOf('cpus', before), sizeOf('cpus', after)),
      resized('memorySize', sizeOf('memorySize', before), sizeOf('memorySize', after)),
      isSameSource ? resized('diskSize', before.disk?.total, after.disk?.total) : undefined,
      changed('renamed', before.name, after.name),
      changed('tagged', before.tags, after.tags),
    ]
  },
}

const nodes: Watched<Node> = {
  name: ({ name }) => name,
  comesAndGoes: true,
  changes: (before, after) => [
    before.status === 'unknown' || after.status === 'unknown'
      ? undefined
      : ran(
          { isRunning: before.status === 'online', state: before.status, startedAt: before.startedAt },
          { isRunning: after.status === 'online', state: after.status, startedAt: after.startedAt },
        ),
    resized('memorySize', before.memory?.total, after.memory?.total),
    version('pveVersion', before.pveVersion, after.pveVersion),
    version('kernelVersion', before.kernelVersion, after.kernelVersion),
  ],
}

const containers: Watched<DockerContainer> = {
  name: ({ name }) => name,
  comesAndGoes: true,
  changes: (before, after) => [
    ran(
      { isRunning: before.state === 'running', state: before.state, startedAt: before.startedAt },
      { isRunning: after.state === 'running', state: after.state, startedAt: after.startedAt },
    ),
    version('image', before.image, after.image),
  ],
}

const hosts: Watched<DockerHost> = {
  name: ({ displayName }) => displayName,
  comesAndGoes: true,
  changes: (before, after) => [
    ran(
      { isRunning: before.status === 'online', state: before.status, startedAt: before.startedAt },
      { isRunning: after.status === 'online', state: after.status, startedAt: after.startedAt },
    ),
    resized('cpus', before.cpus, after.cpus),
    resized('memorySize', before.totalMemoryBytes, after.totalMemoryBytes),
    version('dockerVersion', before.dockerVersion, after.dockerVersion),
    version('agentVersion', before.agentVersion, after.agentVersion),
  ],
}

const storages: Watched<Storage> = {
  name: ({ name }) => name,
  comesAndGoes: true,
  changes: (before, after) => [changed('status', before.status, after.status)],
}

const isFailing = (disk: PhysicalDisk) => figures.physicalDisks['healthy']!.read(disk) === false

const disks: Watched<PhysicalDisk> = {
  name: ({ node, devPath, model }) => `${node} ${devPath} ${model}`.trim(),
  comesAndGoes: true,
  changes: (before, after) => [
    isFailing(after) && !isFailing(before) ? changed('failing', before.health, after.health) : undefined,
  ],
}

const ofVersion: Watched<PbsServer | MailGateway> = {
  name: ({ name }) => name,
  comesAndGoes: true,
  changes: (before, after) => [version('version', before.version, after.version)],
}

const protections: Watched<Protection> = {
  name: ({ vmid }) => String(vmid),
  changes(before, after) {
    const [old, now] = [protectionWords(before), protectionWords(after)]
    return now
      .filter((word) => !old.includes(word) && word !== 'unverified')
      .map((word): Found => ({ what: 'unprotected', field: word }))
  },
}

const sources: Watched<SourceState> = {
  name: ({ name }) => name,
  comesAndGoes: true,
  changes: (before, after) => [changed('renamed', before.name, after.name)],
}

const watched: { [K in RecordKind]?: unknown } = {
  guests,
  nodes,
  storage: storages,
  physicalDisks: disks,
  pbs: ofVersion,
  pmg: ofVersion,
  dockerHosts: hosts,
  dockerContainers: containers,
  protections,
  sources,
}

const longestText = 200

/** What a change of a record means to a person; nothing for most changes. */
export function noticesOf(
  place: Pick<ChangeNotice, 'at' | 'kind' | 'id'>,
  before: Fields | undefined,
  after: Fields | undefined,
): ChangeNotice[] {
  const entry = watched[place.kind] as Watched<Fields> | undefined
  if (!entry) return []
  const { name, comesAndGoes, changes } = entry
  let found: (Found | undefined)[] = []
  if (before && after) found = changes(before, after)
  else if (comesAndGoes) found = [{ what: after ? 'came' : 'went' }]
  return found.flatMap((one) =>
    one
      ? [{ ...place, name: String(name((after ?? before)!)).slice(0, longestText), ...shortened(one) }]
      : [],
  )
}

function shortened(found: Found): Found {
  const result = { ...found }
  for (const end of ['from', 'to'] as const) {
    const value = result[end]
    if (typeof value === 'string') result[end] = value.slice(0, longestText)
  }
  return result
}
