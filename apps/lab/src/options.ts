import { inRealTime } from './course.ts'

export type PveMajor = 7 | 8 | 9

export interface LabOptions {
  /** Default 3. */
  nodes?: number
  /** Additional backup servers; default 0. */
  pbs?: number
  /** `mixed`: 4, 3, 2, 4, … */
  pbsVersion?: '2' | '3' | '4' | 'mixed'
  /** Total number of snapshots on the first backup server, in 20 namespaces; by default the guests' backups. */
  backups?: number
  /** Additional mail gateways; default 0. */
  pmg?: number
  /** `mixed`: 9, 8, 7, 9, … */
  pmgVersion?: '7' | '8' | '9' | 'mixed'
  /** The mail gateways form one cluster; the first one is its master. */
  pmgCluster?: boolean
  /** The first cluster has Ceph. */
  ceph?: boolean
  /** Additional container hosts, `dock1`, …; default 0. They report once a server is set. */
  dockerHosts?: number
  /** Containers per host; default 12. */
  dockerContainers?: number
  /** `mixed`: every other host has the v4 agent. */
  dockerAgents?: 'own' | 'original' | 'mixed'
  /** Total over all nodes, about two thirds of them VMs; default 75. */
  guests?: number
  /** Default 1; determines all generated data. */
  seed?: number
  /** Default 1; the nodes are distributed over them. */
  clusters?: number
  /** Creates one-node hosts without a cluster; `clusters` is then ignored. */
  standalone?: boolean
  version?: '7' | '8' | '9' | 'mixed-by-cluster'
  /** `127.40` or `127.40.3`: nodes at .11, .12, … By default the lab finds a free block. */
  base?: string
  /** UTC hour when the nightly backups of guests begin; they take three hours. Default 1. */
  nightlyAtHour?: number
  /** For how many days a node keeps its tasks; default 14. */
  taskDays?: number
  /** Port of nodes and mail gateways; default 8006. Backup servers use 8007. */
  port?: number
  /** Default 0: any free port on 127.0.0.1. */
  controlPort?: number
  now?: () => number
  /** Calls a function once after a delay; returns a function that cancels the call. Default: real time. */
  after?: (ms: number, run: () => void) => () => void
  /** Duration of a refused login or token; default 3000 as in Proxmox. */
  authDelayMs?: number
  /** Delay until an offline member or guest agent counts as failed; default `authDelayMs`. */
  giveUpMs?: number
  /** Time until a hanging guest agent fails with `got timeout`; default 8000. */
  agentHangMs?: number
  /** How long an idle connection stays open; default 5000 as in Proxmox. */
  idleCloseMs?: number
  /** Accepts ticket cookies without decoding percent signs, as imitations of Proxmox do. Proxmox decodes them. */
  rawCookies?: boolean
  /** Called with each request of a client. */
  onRequest?: (asked: AskedRequest) => void
  /** Interval between measurements; default 10000 as in pvestatd, 0 = always current. */
  loadPeriodMs?: number
}

/** Which machine was asked what, and from which address. */
export interface AskedRequest {
  cluster: string
  node: string
  path: string
  from: string
}

export interface Settings extends Required<Omit<LabOptions, 'base' | 'backups'>> {
  base: string | undefined
  backups: number | undefined
}

export class OptionError extends Error {}

export function toSettings(options: LabOptions = {}): Settings {
  const authDelayMs = options.authDelayMs ?? 3000
  const settings: Settings = {
    nodes: options.nodes ?? 3,
    pbs: options.pbs ?? 0,
    pbsVersion: options.pbsVersion ?? '4',
    backups: options.backups,
    pmg: options.pmg ?? 0,
    pmgVersion: options.pmgVersion ?? '9',
    pmgCluster: options.pmgCluster ?? false,
    ceph: options.ceph ?? false,
    dockerHosts: options.dockerHosts ?? 0,
    dockerContainers: options.dockerContainers ?? 12,
    dockerAgents: options.dockerAgents ?? 'mixed',
    guests: options.guests ?? 75,
    seed: options.seed ?? 1,
    clusters: options.clusters ?? 1,
    standalone: options.standalone ?? false,
    version: options.version ?? '9',
    base: options.base,
    nightlyAtHour: options.nightlyAtHour ?? 1,
    taskDays: options.taskDays ?? 14,
    port: options.port ?? 8006,
    controlPort: options.controlPort ?? 0,
    now: options.now ?? Date.now,
    after: options.after ?? inRealTime,
    authDelayMs,
    giveUpMs: options.giveUpMs ?? authDelayMs,
    agentHangMs: options.agentHangMs ?? 8000,
    idleCloseMs: options.idleCloseMs ?? 5000,
    rawCookies: options.rawCookies ?? false,
    loadPeriodMs: options.loadPeriodMs ?? 10_000,
    onRequest: options.onRequest ?? (() => {}),
  }
  checkRange('nodes', settings.nodes, 1, 4000)
  checkRange('pbs', settings.pbs, 0, 200)
  checkRange('backups', settings.backups ?? 0, 0, 1_000_000)
  checkRange('pmg', settings.pmg, 0, 200)
  checkRange('guests', settings.guests, 0, 100_000)
  checkRange('dockerHosts', settings.dockerHosts, 0, 2_000)
  checkRange('dockerContainers', settings.dockerContainers, 0, 1_000)
  checkRange('seed', settings.seed, 0, 0xffffffff)
  checkRange('clusters', settings.clusters, 1, settings.nodes)
  checkRange('nightlyAtHour', settings.nightlyAtHour, 0, 23)
  checkRange('taskDays', settings.taskDays, 1, 365)
  checkRange('port', settings.port, 1, 65_535)
  checkRange('controlPort', settings.controlPort, 0, 65_535)
  for (const name of ['authDelayMs', 'giveUpMs', 'agentHangMs', 'idleCloseMs', 'loadPeriodMs'] as const) {
    checkRange(name, settings[name], 0, 3_600_000)
  }
  checkChoice('version', settings.version, ['7', '8', '9', 'mixed-by-cluster'])
  checkChoice('pbsVersion', settings.pbsVersion, ['2', '3', '4', 'mixed'])
  checkChoice('pmgVersion', settings.pmgVersion, ['7', '8', '9', 'mixed'])
  checkChoice('dockerAgents', settings.dockerAgents, ['own', 'original', 'mixed'])
  if (settings.base !== undefined && !isLoopbackBase(settings.base)) {
    throw new OptionError(`base must look like 127.40 or 127.40.3, not ${settings.base}`)
  }
  return settings
}

function isLoopbackBase(base: string): boolean {
  const parts = base.split('.')
  if (parts.length < 2 || parts.length > 3 || parts[0] !== '127') return false
  return parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255)
}

function checkChoice(name: string, value: string, allowed: readonly string[]): void {
  if (allowed.includes(value)) return
  throw new OptionError(
    `${name} must be ${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1)}, not ${value}`,
  )
}

function checkRange(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new OptionError(`${name} must be a whole number from ${min} to ${max}, not ${value}`)
  }
}
