import { ClusterEndpoint, type MonitorFlag, SourceKind } from '@pulse/contract'
import { type Connection, Secret } from '@pulse/domain'
import type { CompiledQuery } from 'kysely'
import * as z from 'zod/mini'
import type { Vault } from '../seal.ts'
import type { Database } from './database.ts'
import { wholeTable } from './pages.ts'
import type { ConnectionRow } from './schema.ts'

/** Stored connections with sealed secrets. */
export interface ConnectionStore {
  all(): Promise<Connection[]>
  insert(connection: Connection, nowMs: number): Promise<void>
  update(connection: Connection, nowMs: number): Promise<void>
  /** Updates only the learned facts about its cluster. */
  learned(connection: Connection, nowMs: number): Promise<void>
  remove(id: string): Promise<void>
  /** Statements that replace all connections by these. */
  replacing(connections: readonly Connection[], nowMs: number): CompiledQuery[]
}

const Flags = z.record(z.string(), z.boolean())
const Endpoints = z.array(ClusterEndpoint)
const Fingerprints = z.record(z.string(), z.string())

export function connectionStore(db: Database, vault: Vault): ConnectionStore {
  return {
    async all() {
      const rows = await wholeTable(db, 'connections', ['id'])
      return rows.toSorted((a, b) => a.created_at - b.created_at).map((row) => fromRow(row, vault))
    },
    async insert(connection, nowMs) {
      const row = toRow(connection, vault, nowMs)
      await db.query
        .insertInto('connections')
        .values({ ...row, created_at: nowMs })
        .execute()
    },
    async update(connection, nowMs) {
      const row = toRow(connection, vault, nowMs)
      await db.query.updateTable('connections').set(row).where('id', '=', connection.id).execute()
    },
    async learned(connection, nowMs) {
      const row = { ...clusterOf(connection), updated_at: nowMs }
      await db.query.updateTable('connections').set(row).where('id', '=', connection.id).execute()
    },
    async remove(id) {
      await db.query.deleteFrom('connections').where('id', '=', id).execute()
    },
    replacing(connections, nowMs) {
      // rows are read back in the order of their creation
      const rows = connections.map((one, n) => ({ ...toRow(one, vault, nowMs), created_at: nowMs + n }))
      return [
        db.query.deleteFrom('connections').compile(),
        ...rows.map((row) => db.query.insertInto('connections').values(row).compile()),
      ]
    },
  }
}

const associatedDataOf = (id: string) => `connections/${id}`

function toRow(c: Connection, vault: Vault, nowMs: number): Omit<ConnectionRow, 'created_at'> {
  const secret = c.auth.type === 'password' ? c.auth.password : c.auth.secret
  return {
    id: c.id,
    kind: c.kind,
    name: c.name,
    host: c.host,
    auth_type: c.auth.type,
    user_name: c.auth.type === 'password' ? c.auth.user : null,
    token_name: c.auth.type === 'token' ? c.auth.tokenId : null,
    secret: vault.seal(secret.reveal(), associatedDataOf(c.id)),
    fingerprint: c.fingerprint ?? null,
    verify_ssl: c.verifySSL ? 1 : 0,
    site: c.site ?? null,
    flags: JSON.stringify(c.flags),
    ...clusterOf(c),
    updated_at: nowMs,
  }
}

const clusterOf = (c: Connection) => ({
  cluster_name: c.clusterName ?? null,
  cluster_endpoints: c.clusterEndpoints ? JSON.stringify(c.clusterEndpoints) : null,
  member_fingerprints: c.memberFingerprints ? JSON.stringify(c.memberFingerprints) : null,
})

function fromRow(row: ConnectionRow, vault: Vault): Connection {
  const secret = new Secret(vault.open(row.secret, associatedDataOf(row.id)))
  return {
    id: row.id,
    kind: SourceKind.parse(row.kind),
    name: row.name,
    host: row.host,
    auth:
      row.auth_type === 'password'
        ? { type: 'password', user: row.user_name ?? '', password: secret }
        : { type: 'token', tokenId: row.token_name ?? '', secret },
    ...(row.fingerprint ? { fingerprint: row.fingerprint } : {}),
    verifySSL: row.verify_ssl === 1,
    ...(row.site === null ? {} : { site: row.site }),
    flags: Flags.parse(JSON.parse(row.flags)) as Partial<Record<MonitorFlag, boolean>>,
    ...(row.cluster_name ? { clusterName: row.cluster_name } : {}),
    ...(row.cluster_endpoints
      ? { clusterEndpoints: Endpoints.parse(JSON.parse(row.cluster_endpoints)) as ClusterEndpoint[] }
      : {}),
    ...(row.member_fingerprints
      ? { memberFingerprints: Fingerprints.parse(JSON.parse(row.member_fingerprints)) }
      : {}),
  }
}
