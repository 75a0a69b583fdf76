import type { DockerReport } from '@pulse/contract'
import fs from 'node:fs'
import os from 'node:os'
import { count, type Fields, text } from '../engine/read.ts'
import { defined } from './container.ts'

export interface HostSettings {
  /** set by the administrator; undefined: detected */
  hostname: string | undefined
  agentId: string | undefined
}

type ReportedHost = DockerReport['host']

export function toHost(info: Fields, isPodman: boolean, machine: Machine, own: HostSettings): ReportedHost {
  const name = text(info.Name)
  const version = text(info.ServerVersion)
  return {
    // in a container the system's host name is the container's
    hostname: own.hostname ?? (machine.isContainer ? (name ?? machine.hostname) : machine.hostname),
    ...defined({
      name: own.hostname ?? name,
      machineId: machine.id,
      os: text(info.OperatingSystem),
      kernelVersion: text(info.KernelVersion),
      architecture: text(info.Architecture),
      dockerVersion: version,
      totalCpu: count(info.NCPU),
      totalMemoryBytes: count(info.MemTotal),
    }),
    engine: isPodman ? 'podman' : 'docker',
    uptimeSeconds: Math.floor(machine.uptimeSeconds()),
  }
}

/**
 * The identity of this host: set by the administrator, otherwise the engine's, the machine's, or the host
 * name. Podman's id is not used, because it changes with each request.
 */
export function identityOf(info: Fields, isPodman: boolean, host: ReportedHost, own: HostSettings): string {
  const engine = isPodman ? undefined : text(info.ID)
  return own.agentId ?? engine ?? host.machineId ?? host.hostname
}

/** Facts about the machine that do not come from the engine. */
export interface Machine {
  hostname: string
  /** undefined if the machine has none */
  id: string | undefined
  /** whether the agent itself runs in a container */
  isContainer: boolean
  uptimeSeconds: () => number
}

/** Not the firmware's id, because a system container shows the id of its host. */
const idFiles = ['etc/machine-id', 'var/lib/dbus/machine-id']

export function readMachine(root = '/'): Machine {
  return {
    hostname: os.hostname(),
    id: idFiles.map((file) => idIn(root + file)).find((id) => id !== undefined),
    isContainer: ['.dockerenv', 'run/.containerenv'].some((file) => fs.existsSync(root + file)),
    uptimeSeconds: os.uptime,
  }
}

function idIn(file: string): string | undefined {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : ''
  // before the first boot of an image the file contains 'uninitialized', or is empty
  return /^[0-9a-f]{32}$/.test(text) ? text : undefined
}
