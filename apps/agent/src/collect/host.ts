import type { DockerReport } from '@pulse/contract'
import { count, type Fields, text } from '../engine/read.ts'
import { given } from './container.ts'
import type { Machine } from './machine.ts'

export interface HostSettings {
  /** as the administrator wants it; undefined leaves it to what is found */
  hostname: string | undefined
  agentId: string | undefined
}

type ReportedHost = DockerReport['host']

export function toHost(info: Fields, isPodman: boolean, machine: Machine, own: HostSettings): ReportedHost {
  const name = text(info.Name)
  const version = text(info.ServerVersion)
  return {
    // in a container the system's name is the container's
    hostname: own.hostname ?? (machine.isContainer ? (name ?? machine.hostname) : machine.hostname),
    ...given({
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
 * Who this is to the server: what the administrator says, else the engine's identity, else the machine's, else the name.
 * Podman makes up another one each time it is asked.
 */
export function identityOf(info: Fields, isPodman: boolean, host: ReportedHost, own: HostSettings): string {
  const engine = isPodman ? undefined : text(info.ID)
  return own.agentId ?? engine ?? host.machineId ?? host.hostname
}
