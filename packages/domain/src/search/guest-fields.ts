import { type Guest, guestFigures, sampledGuestFieldNames, thresholdValue } from '@pulse/contract'
import { type SearchFields, SEPARATOR } from './search.ts'

/** The input of a search in addition to the record. */
export interface GuestMoment {
  /** epoch milliseconds */
  nowMs: number
  /** whether the guest counts as running, because its node may be offline */
  running: boolean
}

type NumberField = (guest: Guest, at: GuestMoment) => number | undefined
type TextField = (guest: Guest) => string | undefined

/** By lower-case name. cpu, memory and disk are percent, uptime is seconds, rates are bytes per second. */
const numbers: ReadonlyMap<string, NumberField> = new Map(
  Object.entries({
    cpu: (g) => thresholdValue(guestFigures.cpu, g),
    memory: (g) => thresholdValue(guestFigures.memory, g),
    mem: (g) => thresholdValue(guestFigures.memory, g),
    disk: (g) => thresholdValue(guestFigures.disk, g),
    uptime: (g, at) =>
      at.running && g.startedAt !== undefined ? Math.max(0, at.nowMs - g.startedAt) / 1000 : undefined,
    vmid: (g) => g.vmid,
    cpus: (g) => g.cpus,
    ...Object.fromEntries(
      sampledGuestFieldNames.map((field): [string, NumberField] => [field.toLowerCase(), (g) => g[field]]),
    ),
    lastbackup: (g) => g.lastBackup,
  } satisfies Record<string, NumberField>),
)

const tags: TextField = (g) => g.tags?.split(',').join(SEPARATOR)
const addresses: TextField = (g) => g.ipAddresses?.join(SEPARATOR)

/** By lower-case name. Each value of a list is searched separately. */
const texts: ReadonlyMap<string, TextField> = new Map(
  Object.entries({
    name: (g) => g.name,
    node: (g) => g.node,
    vmid: (g) => String(g.vmid),
    tags,
    tag: tags,
    status: (g) => g.status,
    type: (g) => (g.type === 'qemu' ? `qemu${SEPARATOR}vm` : g.type),
    id: (g) => g.id,
    instance: (g) => g.instance,
    cpus: (g) => String(g.cpus),
    lock: (g) => g.lock,
    os: (g) => [g.osName, g.osVersion].join(' '),
    osname: (g) => g.osName,
    osversion: (g) => g.osVersion,
    ip: addresses,
    ipaddresses: addresses,
    mac: (g) => g.networkInterfaces?.map((nic) => nic.mac).join(SEPARATOR),
    mountpoint: (g) => g.disks?.map((d) => d.mountpoint).join(SEPARATOR),
    diskstatusreason: (g) => g.diskStatusReason,
    connectionhealth: (g) => g.connectionHealth,
  } satisfies Record<string, TextField>),
)

export const guestFields: SearchFields<[guest: Guest, at: GuestMoment]> = {
  numbers,
  texts,
  plain: (g) => [g.name, g.vmid, g.node, g.status].join(SEPARATOR),
  raw: (g) => [g.name, g.vmid, g.node, g.status, g.tags ?? ''].join(SEPARATOR),
}
