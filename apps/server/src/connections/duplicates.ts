import { connectionKey } from '@pulse/contract'
import type { Connection } from '@pulse/domain'
import { AppError } from '../app-error.ts'

/** Nothing is watched twice, and no two have one name. */
export function refuseDuplicate(candidate: Connection, all: Iterable<Connection>): void {
  for (const connection of all) {
    if (connection.id === candidate.id) continue
    if (isSameName(connection, candidate)) {
      throw new AppError(
        'duplicate_name',
        `A node named "${candidate.name}" exists already. Choose another name.`,
      )
    }
    if (connection.kind === candidate.kind && addressesOf(connection).has(candidate.host)) {
      const as = connection.clusterName ? `as part of the cluster "${connection.clusterName}" ` : ''
      throw new AppError(
        'duplicate_cluster',
        `${candidate.host} is already monitored ${as}by "${connection.name}".`,
      )
    }
  }
}

/** A machine may be PVE and PBS in one: its address names the first of them. */
export function freeName(candidate: Connection, all: readonly Connection[]): string {
  const isTaken = all.some((connection) => isSameName(connection, candidate))
  return isTaken ? `${candidate.name} ${candidate.kind.toUpperCase()}` : candidate.name
}

/** Names differ, and so do the keys made of them: `pbs-vault` may be a PVE, or the PBS named vault. */
const isSameName = (a: Connection, b: Connection) =>
  a.name.toLowerCase() === b.name.toLowerCase() || keyOf(a) === keyOf(b)
const keyOf = ({ kind, name }: Connection) => connectionKey(kind, name).toLowerCase()

/** Every address this connection answers for: the typed one and those of its cluster's members. */
function addressesOf({ host, clusterEndpoints }: Connection): Set<string> {
  const { port } = new URL(host)
  const members = clusterEndpoints?.flatMap(({ Host, IP }) => [Host, `https://${hostOf(IP)}:${port}`]) ?? []
  return new Set([host, ...members])
}

/** As a URL has it: an IPv6 address in brackets, and in its one short form. */
const hostOf = (ip: string) => (ip.includes(':') ? (URL.parse(`https://[${ip}]`)?.hostname ?? ip) : ip)
