import { allScopes, Role, Scope } from '@pulse/contract'
import * as z from 'zod/mini'
import { maxTokens } from '../auth/api-tokens.ts'
import type { Database } from '../db/database.ts'
import { wholeTable } from '../db/pages.ts'
import type { ApiTokenRow } from '../db/schema.ts'
import { wasEndedHere } from './ended-here.ts'
import { count, invalidFile, listed, part } from '../export-part.ts'
import { legacyTokens } from './legacy-tokens.ts'

const epochMs = z.number().check(z.int(), z.minimum(0))

const ExportedToken = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  name: z.string().check(z.maxLength(128)),
  /** SHA3-256, hex; only the owner has the token itself */
  tokenHash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  prefix: z.string().check(z.maxLength(6)),
  suffix: z.string().check(z.maxLength(4)),
  scopes: z.array(Scope).check(z.minLength(1), z.maxLength(allScopes.length)),
  createdAt: epochMs,
  lastUsedAt: z.nullable(epochMs),
  expiresAt: z.nullable(epochMs),
  /** absent if it is unknown */
  madeBy: z.optional(
    z.object({
      id: z.string().check(z.minLength(1), z.maxLength(300)),
      name: z.string().check(z.maxLength(300)),
    }),
  ),
  /** the token that created this one, and ends it */
  madeWith: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
  /** the token reports for a single Docker host */
  oneHost: z.optional(z.literal(true)),
  /** the host that it reports for */
  boundHost: z.optional(
    z.object({
      id: z.string().check(z.minLength(1), z.maxLength(128)),
      name: z.string().check(z.maxLength(300)),
    }),
  ),
})
type ExportedToken = z.infer<typeof ExportedToken>

const Scopes = z.array(Scope)

/**
 * Tokens created in Pulse, as hashes. Existing tokens stay unchanged, and revoked ones stay revoked. A token
 * still ends with its maker if that account exists here or is imported too; otherwise its maker is unknown.
 */
export const apiTokensPart = (db: Database) =>
  part({
    key: 'apiTokens',
    schema: z.array(ExportedToken).check(z.maxLength(maxTokens)),
    older: legacyTokens,
    async read() {
      return (await allTokens(db)).filter((row) => row.source === 'user').map(toExported)
    },
    async plan(exported, _by, earlier) {
      refuseDuplicates(exported)
      const here = await allTokens(db)
      const isEnded = await wasEndedHere(db, 'token')
      const missing = exported.filter(
        ({ id, tokenHash }) => !here.some((row) => row.id === id || row.token_hash === tokenHash),
      )
      const ended = missing.filter(isEnded)
      const accounts = [...(await allAccounts(db)), ...earlier.flatMap((plan) => plan.accounts ?? [])]
      const makerOf = ({ madeBy }: ExportedToken) => accounts.find(({ id }) => madeBy?.id === `user:${id}`)
      const orphaned = missing.filter(
        (token) => !ended.includes(token) && (makerOf(token)?.role ?? 'admin') !== 'admin',
      )
      const leftOut = withChildren([...ended, ...orphaned], missing)
      const added = missing.filter((token) => !leftOut.has(token))
      const ids = new Set([...here, ...added].map(({ id }) => id))
      if (here.length + added.length > maxTokens) {
        throw invalidFile('apiTokens', `there would be more than ${maxTokens} tokens`)
      }
      const notes = []
      if (ended.length > 0) {
        notes.push(
          `API tokens that were revoked here stay revoked: ${listed(ended.map(({ name }) => name))}.`,
        )
      }
      const without = [...leftOut].filter((token) => !ended.includes(token))
      if (without.length > 0) {
        notes.push(
          `These API tokens were left out because their creator is not an administrator here, or the token that created them was left out: ${listed(without.map(({ name }) => name))}.`,
        )
      }
      if (added.length > 0) notes.push(`API tokens added: ${listed(added.map(({ name }) => name))}.`)
      return {
        summary: count(added.length, 'API token'),
        notes,
        changes: { tokens: added.map(toChange) },
        queries: added.map((token) => {
          const parent_id = token.madeWith !== undefined && ids.has(token.madeWith) ? token.madeWith : null
          const row = { ...toRow(token), ...marksOf(token, makerOf(token)), parent_id }
          return db.query.insertInto('api_tokens').values(row).compile()
        }),
      }
    },
  })

const allTokens = async (db: Database) =>
  (await wholeTable(db, 'api_tokens', ['id'])).toSorted((a, b) => a.created_at - b.created_at)

const allAccounts = async (db: Database) =>
  (await wholeTable(db, 'users', ['id'])).map(({ id, name, role }) => ({ id, name, role: Role.parse(role) }))

/** The tokens, followed by all their descendants. */
function withChildren(tokens: readonly ExportedToken[], among: readonly ExportedToken[]): Set<ExportedToken> {
  const all = new Set(tokens)
  for (const one of all) for (const token of among) if (token.madeWith === one.id) all.add(token)
  return all
}

/** Users of a proxy have no account; only their name is known. */
function marksOf({ madeBy }: ExportedToken, maker: { id: string; name: string } | undefined) {
  if (maker) return { made_by: `user:${maker.id}`, made_by_name: maker.name }
  if (madeBy?.id.startsWith('proxy:')) return { made_by: madeBy.id, made_by_name: madeBy.name }
  return { made_by: null, made_by_name: null }
}

const toExported = (row: ApiTokenRow): ExportedToken => ({
  id: row.id,
  name: row.name,
  tokenHash: row.token_hash,
  prefix: row.prefix,
  suffix: row.suffix,
  scopes: Scopes.parse(JSON.parse(row.scopes)),
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
  ...(row.made_by === null ? {} : { madeBy: { id: row.made_by, name: row.made_by_name ?? row.made_by } }),
  ...(row.parent_id === null ? {} : { madeWith: row.parent_id }),
  ...(row.one_host === 1 && { oneHost: true as const }),
  ...(row.bound_host !== null && {
    boundHost: { id: row.bound_host, name: row.bound_host_name ?? row.bound_host },
  }),
})

const toChange = ({ name, scopes, expiresAt }: ExportedToken) => ({
  name,
  scopes,
  ...(expiresAt === null ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
})

const toRow = ({
  tokenHash,
  scopes,
  createdAt,
  lastUsedAt,
  expiresAt,
  madeBy: _by,
  madeWith: _with,
  oneHost,
  boundHost,
  ...rest
}: ExportedToken): Omit<ApiTokenRow, 'made_by' | 'made_by_name' | 'parent_id'> => ({
  ...rest,
  source: 'user',
  token_hash: tokenHash,
  scopes: JSON.stringify(allScopes.filter((scope) => scopes.includes(scope))),
  created_at: createdAt,
  last_used_at: lastUsedAt,
  expires_at: expiresAt,
  one_host: oneHost ? 1 : 0,
  bound_host: boundHost?.id ?? null,
  bound_host_name: boundHost?.name ?? null,
})

function refuseDuplicates(tokens: readonly ExportedToken[]): void {
  const seen = new Set<string>()
  for (const [n, { id, tokenHash }] of tokens.entries()) {
    for (const mark of [`id ${id}`, tokenHash]) {
      if (seen.has(mark)) throw invalidFile(`apiTokens[${n}]`, 'the token appears twice')
      seen.add(mark)
    }
  }
}
