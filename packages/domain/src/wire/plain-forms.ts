import {
  type AnyRecord,
  type Datastore,
  type DockerContainer,
  type DockerHost,
  forGuestRates,
  type Guest,
  kindOf,
  type MailGateway,
  type Node,
  type PbsServer,
  type RecordKind,
  type RecordOf,
  type Storage,
  type Usage,
} from '@pulse/contract'

export interface Moment {
  nowMs: number
  /** epoch ms of the newest answer of the record's source; 0 without one */
  answeredAt: number
}

/** A record in the form of the documented API, in two parts. The first one can be cached. */
export interface PlainForm<R = AnyRecord> {
  /** changes only when the record does */
  body(record: R): object
  /** changes with time alone, or with the newest answer of its source */
  times?(record: R, moment: Moment): object
}

/** Without the internal fields. */
function bare(kind: RecordKind, record: AnyRecord): object {
  const { source: _source, staleSince: _stale, ...rest } = record as Record<string, unknown>
  const { inner = [], within } = kindOf(kind).plain!
  for (const field of inner) delete rest[field]
  if (within) delete rest[within.by]
  return rest
}

/** Unknown figures are 0, and texts empty, on the documented wire. */
function nodeBody({ source: _source, startedAt: _start, memory, disk, ...node }: Node): object {
  return {
    ...node,
    cpu: node.cpu ?? 0,
    ...machine({ memory, disk }),
    kernelVersion: node.kernelVersion ?? '',
    pveVersion: node.pveVersion ?? '',
    cpuInfo: { model: '', cores: 0, sockets: 0, mhz: '', ...node.cpuInfo },
  }
}

/** `lastSeen` is 0 for a node that was offline at every poll. */
const nodeTimes = ({ startedAt, staleSince, status }: Node, { nowMs, answeredAt }: Moment) => ({
  uptime: secondsSince(startedAt, nowMs),
  lastSeen: staleSince ?? (status === 'online' ? answeredAt : 0),
})

function guestBody({ source: _source, startedAt: _start, memory, disk, disks, ...rest }: Guest): object {
  const { forecast: _forecast, ...guest } = rest
  return {
    ...guest,
    cpu: guest.cpu ?? 0,
    ...(disks && { disks: disks.map(({ forecast: _, ...one }) => ({ ...one, ...plainUsage(one) })) }),
    ...machine({ memory, disk }),
    ...forGuestRates((rate) => Math.round(guest[rate] ?? 0)),
  }
}

const guestTimes = ({ startedAt, staleSince }: Guest, { nowMs, answeredAt }: Moment) => ({
  uptime: secondsSince(startedAt, nowMs),
  lastSeen: staleSince ?? answeredAt,
})

const storageBody = ({
  source: _source,
  inactiveOn: _nodes,
  pbs: _server,
  forecast: _forecast,
  ...storage
}: Storage) => ({
  ...storage,
  total: storage.total ?? 0,
  used: storage.used ?? 0,
  avail: storage.avail ?? 0,
  free: storage.free ?? 0,
  usage: storage.usage ?? 0,
})

/** The documented state has no stale servers. A server that does not answer is offline there. */
const pbsBody = ({ source: _source, staleSince: _stale, startedAt: _start, ...server }: PbsServer) => ({
  ...server,
  status: server.connectionHealth === 'error' ? 'offline' : server.status,
  cpu: server.cpu ?? 0,
  memory: server.memory ?? 0,
  memoryUsed: server.memoryUsed ?? 0,
  memoryTotal: server.memoryTotal ?? 0,
})

const datastoreBody = ({
  source: _source,
  staleSince: _stale,
  server: _server,
  forecast: _forecast,
  ...store
}: Datastore) => ({
  ...store,
  total: store.total ?? 0,
  used: store.used ?? 0,
  free: store.free ?? 0,
  usage: store.usage ?? 0,
})

const pbsTimes = ({ startedAt, staleSince }: PbsServer, { nowMs, answeredAt }: Moment) => ({
  uptime: secondsSince(startedAt, nowMs),
  ...lastSeenText(staleSince ?? answeredAt),
})

const pmgBody = ({
  source: _source,
  staleSince: _stale,
  nodes: _nodes,
  cluster: _cluster,
  quarantine,
  mailCount,
  ...gateway
}: MailGateway) => ({
  ...gateway,
  status: gateway.connectionHealth === 'error' ? 'offline' : gateway.status,
  ...(quarantine && { quarantine: { blacklisted: 0, ...quarantine } }),
  ...(mailCount && { mailCount: mailCount.map((hour) => ({ ...hour, greylist: 0 })) }),
})

const pmgTimes = ({ nodes, staleSince }: MailGateway, { nowMs, answeredAt }: Moment) => ({
  ...lastSeenText(staleSince ?? answeredAt),
  ...(nodes && {
    nodes: nodes.map(({ startedAt, queueStatus, ...node }) => {
      const { oldestAt, ...queue } = queueStatus ?? {}
      return {
        ...node,
        uptime: secondsSince(startedAt, nowMs),
        ...(queueStatus && { queueStatus: { ...queue, oldestAge: secondsSince(oldestAt, nowMs) } }),
      }
    }),
  }),
})

const containerBody = ({
  source: _source,
  staleSince: _stale,
  host: _host,
  ...container
}: DockerContainer) => ({
  ...container,
  cpuPercent: container.cpuPercent ?? 0,
  memoryPercent: container.memoryPercent ?? 0,
  memoryUsageBytes: container.memoryUsageBytes ?? 0,
  memoryLimitBytes: container.memoryLimitBytes ?? 0,
})

const containerTimes = ({ state, startedAt }: DockerContainer, { nowMs }: Moment) => ({
  uptimeSeconds: state === 'running' ? secondsSince(startedAt, nowMs) : 0,
})

const machine = ({ memory, disk }: Pick<Guest, 'memory' | 'disk'>) => ({
  ...(memory && memory.total > 0 ? { memory } : {}),
  mem: memory?.used ?? 0,
  maxmem: memory?.total ?? 0,
  ...(disk && disk.total > 0 ? { disk: plainUsage(disk) } : {}),
  maxdisk: disk?.total ?? 0,
})

/** An unknown usage is -1 on the documented wire. */
const plainUsage = (usage: Usage) => ({
  total: usage.total,
  used: usage.used ?? 0,
  free: usage.free ?? 0,
  usage: usage.usage ?? -1,
  ...(usage.staleSince !== undefined && { staleSince: usage.staleSince }),
})

const secondsSince = (moment: number | undefined, nowMs: number) =>
  moment === undefined ? 0 : Math.max(0, Math.round((nowMs - moment) / 1000))

/** Absent for a record that was never seen. */
const lastSeenText = (at: number) => (at > 0 ? { lastSeen: new Date(at).toISOString() } : {})

/** Kinds with other names, or other values for unknown, in the documented API. The others are unchanged. */
const forms: { [K in RecordKind]?: PlainForm<RecordOf<K>> } = {
  nodes: { body: nodeBody, times: nodeTimes },
  guests: { body: guestBody, times: guestTimes },
  storage: { body: storageBody },
  pbs: { body: pbsBody, times: pbsTimes },
  datastores: { body: datastoreBody },
  pmg: { body: pmgBody, times: pmgTimes },
  dockerHosts: {
    body: hostBody,
    times: ({ startedAt, tokenId }, { nowMs, answeredAt }) => ({
      uptimeSeconds: secondsSince(startedAt, nowMs),
      lastSeen: answeredAt,
      ...(tokenId !== undefined && answeredAt > 0 && { tokenLastUsedAt: answeredAt }),
    }),
  },
  dockerContainers: { body: containerBody, times: containerTimes },
}

function hostBody({
  source: _,
  staleSince: _stale,
  startedAt: _start,
  cpuPercent: _cpu,
  usedMemoryBytes: _used,
  runningContainers: _running,
  ...host
}: DockerHost): object {
  return host
}

export function plainFormOf(kind: RecordKind): PlainForm {
  return (forms[kind] as PlainForm | undefined) ?? { body: (record) => bare(kind, record) }
}
