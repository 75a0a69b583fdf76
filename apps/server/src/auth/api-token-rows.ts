import { allScopes, type ApiToken, Scope } from '@pulse/contract'
import { createHash, randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import type { ApiTokenRow } from '../db/schema.ts'

/** SHA3-256 as in Pulse 4.x, so that imported hashes of its tokens stay valid. */
export const hashOf = (raw: string) => createHash('sha3-256').update(raw).digest('hex')

export const newTokenRow = (
  raw: string,
  name: string,
  nowMs: number,
  rest: Partial<ApiTokenRow> = {},
): ApiTokenRow => ({
  id: randomUUID(),
  source: 'user',
  name,
  token_hash: hashOf(raw),
  prefix: raw.slice(0, 6),
  suffix: raw.slice(-4),
  scopes: JSON.stringify(allScopes),
  created_at: nowMs,
  last_used_at: null,
  expires_at: null,
  made_by: null,
  made_by_name: null,
  parent_id: null,
  one_host: 0,
  bound_host: null,
  bound_host_name: null,
  ...rest,
})

/** `sha3:` marks a value that is already a hash; any other value is the token itself. */
export function environmentRow(text: string, nowMs: number): ApiTokenRow {
  const hash = /^sha3:([0-9a-f]{64})$/i.exec(text)?.[1]?.toLowerCase()
  const base = { source: 'environment' }
  if (hash === undefined) return newTokenRow(text, 'Environment token', nowMs, base)
  return newTokenRow('', 'Environment token', nowMs, {
    ...base,
    token_hash: hash,
    prefix: 'sha3:',
    suffix: hash.slice(-4),
  })
}

const Scopes = z.array(Scope)
export const scopesOf = (row: ApiTokenRow): Scope[] => Scopes.parse(JSON.parse(row.scopes))

export const iso = (ms: number) => new Date(ms).toISOString()

export const toRecord = (row: ApiTokenRow): ApiToken => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  suffix: row.suffix,
  scopes: scopesOf(row),
  createdAt: iso(row.created_at),
  ...(row.last_used_at === null ? {} : { lastUsedAt: iso(row.last_used_at) }),
  ...(row.expires_at === null ? {} : { expiresAt: iso(row.expires_at) }),
  source: row.source === 'environment' ? 'environment' : 'user',
  ...(row.made_by === null ? {} : { madeBy: { id: row.made_by, name: row.made_by_name ?? row.made_by } }),
  ...(row.parent_id === null ? {} : { madeWith: row.parent_id }),
  ...(row.one_host === 1 ? { oneHost: true } : {}),
  ...(row.bound_host === null
    ? {}
    : { boundHost: { id: row.bound_host, name: row.bound_host_name ?? row.bound_host } }),
})
