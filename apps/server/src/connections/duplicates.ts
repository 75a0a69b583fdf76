import { connectionKey } from '@pulse/contract'
import type { Connection } from '@pulse/domain'
import { AppError } from '../app-error.ts'

/** Refuses a connection with the name or an address of another one. */
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

/** One host may run both PVE and PBS. Its address then names the first of the two connections. */
export function freeName(candidate: Connection, all: readonly Connection[]): string {
  const isTaken = all.some((connection) => isSameName(connection, candidate))
  return isTaken ? `${candidate.name} ${candidate.kind.toUpperCase()}` : candidate.name
}

/** Names and keys must be unique: the key `pbs-vault` may be a PVE of that name, or the PBS named vault. */
const isSameName = (a: Connection, b: Connection) =>
  a.name.toLowerCase() === b.name.toLowerCase() || keyOf(a) === keyOf(b)
const keyOf = ({ kind, name }: Connection) => connectionKey(kind, name).toLowerCase()

/** All addresses of this connection: the entered one and those of its cluster's members. */
function addressesOf({ host, clusterEndpoints }: Connection): Set<string> {
  const { port } = new URL(host)
  const members = clusterEndpoints?.flatMap(({ Host, IP }) => [Host, `https://${hostOf(IP)}:${port}`]) ?? []
  return new Set([host, ...members])
}

/** In the form of a URL: an IPv6 address in brackets and in its short form. */
const hostOf = (ip: string) => (ip.includes(':') ? (URL.parse(`https://[${ip}]`)?.hostname ?? ip) : ip)
