import type { RecordKind } from '@pulse/contract'
import type { SampledField } from '@pulse/domain'
import { createHash } from 'node:crypto'

/** The part of a metric's name that says what was measured. Names never change: dashboards and the past hang on them. */
const things: Partial<Record<RecordKind, string>> = {
  nodes: 'node',
  guests: 'guest',
  fileSystems: 'file_system',
  storage: 'storage',
  cephClusters: 'ceph',
  physicalDisks: 'disk',
  pbs: 'backup_server',
  datastores: 'datastore',
  pmg: 'mail_gateway',
  dockerHosts: 'container_host',
  dockerContainers: 'container',
  meta: 'server',
}

/** Why a figure has no sample at a tick. */
export const gapMetric = 'pulse_sample_gap'
export const gapCodes = { silent: 1, stopped: 2 } as const

/** The name of the metric of a figure, such as `pulse_guest_disk_read`. */
export function metricOf({ kind, name }: Pick<SampledField, 'kind' | 'name'>): string {
  const thing = things[kind]
  if (thing === undefined) throw new Error(`${kind} have no name in a store of samples`)
  return `pulse_${thing}_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`
}

/** Stores cut longer values, or refuse them. */
const mostIdLength = 500
const keptLength = 400

/** The label that identifies a thing: its id. Of a long one the beginning and a hash, so that it stays unique. */
export function idLabel(id: string): string {
  const text = id.toWellFormed()
  if (text.length <= mostIdLength) return text
  const hash = createHash('sha256').update(text).digest('hex')
  return `${text.slice(0, keptLength).toWellFormed()}#${hash}`
}
