import type { Tickets } from '../access/tickets.ts'
import type { Cluster, Estate, Node } from '../estate/estate.ts'
import type { Readings } from '../load/readings.ts'
import type { PveMajor } from '../options.ts'
import type { Serving } from '../serve.ts'
import type { Caller, Rights } from '../access/access.ts'
import type { ParameterRule } from '../api/parameters.ts'

/** The data from which calls are answered. */
export interface PveWorld extends Serving {
  estate: Estate
  readings: Readings
  tickets: ReadonlyMap<Cluster, Tickets>
}

export interface Call {
  world: PveWorld
  cluster: Cluster
  /** The member that received the request. */
  local: Node
  caller: Caller
  rights: Rights
  /** From path, query and body, verified. */
  params: Readonly<Record<string, string>>
  /** Waits as long as the real product, at most until the client disconnects. */
  pause(ms: number): Promise<void>
}

export interface Route {
  method?: 'POST'
  path: string
  /** Answers without a login. */
  open?: true
  since?: PveMajor
  /** The last release that has it. */
  until?: PveMajor
  /** Any member answers it, although the path names one. */
  anyMember?: true
  query?:
    Readonly<Record<string, ParameterRule>> | ((major: PveMajor) => Readonly<Record<string, ParameterRule>>)
  /** The missing right as PVE words it, e.g. `/nodes/pve1, Sys.Audit`. */
  missing?: (rights: Rights, params: Readonly<Record<string, string>>, cluster: Cluster) => string | undefined
  answer: (call: Call) => unknown
}

/** The caller needs one of these privileges on the path. */
export function needs(path: string, ...anyOf: string[]): NonNullable<Route['missing']> {
  return (rights, params) => {
    const actualPath = path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
    return anyOf.some((privilege) => rights.has(actualPath, privilege))
      ? undefined
      : `${actualPath}, ${anyOf.join('|')}`
  }
}

export const needsAuditOnNode = needs('/nodes/{node}', 'Sys.Audit')
export const needsAuditOnGuest = needs('/vms/{vmid}', 'VM.Audit')
export const needsSysAudit = needs('/', 'Sys.Audit')
