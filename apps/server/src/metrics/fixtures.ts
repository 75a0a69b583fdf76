import { createEstate, type Tables } from '@pulse/domain'
import {
  aCephCluster,
  aDisk,
  aDockerContainer,
  aDockerHost,
  aGuest,
  aMailGateway,
  anAlert,
  aNode,
  aPbsServer,
  aProtection,
  aReplicationJob,
  aStorage,
  BUILT_AT,
} from '@pulse/testkit'
import { spawnSync } from 'node:child_process'

/** A name with every special character of the format. */
export const hostile = 'a "quoted"\\back\nline {x="1"} # ü 𝄞'

export interface ReadMetric {
  type: string
  help: string
  labels: string[]
  /** the labels as text, and the value */
  samples: [labels: string, value: string][]
}

const sample = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/
const label = /([a-z_]+)="((?:[^"\\]|\\.)*)",?/g

/** Parses the format strictly; any other line is an error. */
export function read(text: string): Map<string, ReadMetric> {
  const metrics = new Map<string, ReadMetric>()
  for (const line of text.trimEnd().split('\n')) {
    const [, word, name = '', rest = ''] = /^# (HELP|TYPE) ([a-z_]+) (.*)$/.exec(line) ?? []
    if (word === 'HELP') metrics.set(name, { type: '', help: rest, labels: [], samples: [] })
    else if (word === 'TYPE') metrics.get(name)!.type = rest
    else {
      const [, of = '', labels = '', value = ''] = sample.exec(line) ?? []
      const metric = metrics.get(of)
      if (!metric || labels.replaceAll(label, '') !== '') throw new Error(`no sample: ${line}`)
      metric.labels = [...labels.matchAll(label)].map(([, one]) => one!)
      metric.samples.push([labels, value])
    }
  }
  return metrics
}

const program = '/usr/bin/promtool'
export const hasPromtool = spawnSync(program, ['--version']).status === 0

/** The errors that the real promtool prints; empty if it finds none. */
export function promtool(args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8' })
  return status === 0 && args[0] === 'check' && args[1] === 'metrics'
    ? stderr
    : status === 0
      ? ''
      : stdout + stderr
}

export const nothing = (): Tables => createEstate().tables

const record = <R>(id: string, one: R) => new Map([[id, one]])

/** One record of each kind, with a hostile name and every optional field. */
export function everything(): Tables {
  const forecast = { fullAt: BUILT_AT }
  const disk = { mountpoint: hostile, total: 10, used: 4 }
  return {
    ...nothing(),
    sources: record('main', { name: hostile, kind: 'pve', health: 'healthy', lastSeen: BUILT_AT }),
    nodes: record(
      'main:pve1',
      aNode({
        displayName: hostile,
        kernelVersion: hostile,
        memory: { ...aNode().memory!, swapTotal: 8, swapUsed: 1 },
        temperature: {
          available: true,
          hasCPU: true,
          hasNVMe: true,
          cpuPackage: 51.5,
          nvme: [{ device: hostile, temp: 40 }],
        },
      }),
    ),
    // a duplicate mount point, as Windows agents report it
    guests: record(
      'main:100',
      aGuest({ name: hostile, tags: hostile.repeat(50), disks: [disk, disk], forecast }),
    ),
    protections: record('main:100', aProtection()),
    storage: record(
      'main:local',
      aStorage({
        name: hostile,
        storage: hostile,
        zfsPool: {
          name: hostile,
          state: 'DEGRADED',
          readErrors: 1,
          writeErrors: 2,
          checksumErrors: 3,
          devices: [],
        },
        forecast,
      }),
    ),
    cephClusters: record(
      'f1',
      aCephCluster({
        name: hostile,
        pools: [{ id: 1, name: hostile, storedBytes: 5, availableBytes: 6, objects: 7, percentUsed: 8 }],
        forecast,
      }),
    ),
    physicalDisks: record('main:S1', aDisk({ model: hostile, serial: hostile })),
    pbs: record('backup', aPbsServer({ name: hostile })),
    datastores: record('backup:store', {
      server: 'pbs-backup',
      name: hostile,
      total: 10,
      used: 4,
      free: 6,
      status: 'available',
      deduplicationFactor: 12.5,
      fullAt: BUILT_AT,
      forecast,
      source: 'backup',
    }),
    replicationJobs: record('main:100-0', aReplicationJob({ target: hostile })),
    pmg: record('mail', aMailGateway({ name: hostile })),
    dockerHosts: record('dock1', aDockerHost({ displayName: hostile, engine: hostile })),
    dockerContainers: record(
      'dock1:web',
      aDockerContainer({ name: hostile, image: hostile, health: 'healthy', oomKilled: false }),
    ),
    activeAlerts: record('a', anAlert({ message: hostile })),
  }
}
