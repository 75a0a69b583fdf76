import { allScopes, Scope } from '@pulse/contract'
import * as z from 'zod/mini'
import { maxTokens } from '../../auth/api-tokens.ts'
import type { Database } from '../../db/open.ts'
import type { ApiTokenRow } from '../../db/schema.ts'
import { wasEndedHere } from '../ended-here.ts'
import { count, invalidFile, listed, part } from '../part.ts'

const epochMs = z.number().check(z.int(), z.minimum(0))

const ExportedToken = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(64)),
  name: z.string().check(z.maxLength(128)),
  /** SHA3-256, hex; the token itself is known to its owner alone */
  tokenHash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  prefix: z.string().check(z.maxLength(6)),
  suffix: z.string().check(z.maxLength(4)),
  scopes: z.array(Scope).check(z.minLength(1), z.maxLength(allScopes.length)),
  createdAt: epochMs,
  lastUsedAt: z.nullable(epochMs),
  expiresAt: z.nullable(epochMs),
})
export type ExportedToken = z.infer<typeof ExportedToken>

const Scopes = z.array(Scope)

/** Tokens made in Pulse, as hashes. Those that are here stay as they are; what was revoked here stays revoked. */
export const apiTokensPart = (db: Database) =>
  part({
    key: 'apiTokens',
    schema: z.array(ExportedToken).check(z.maxLength(maxTokens)),
    async read() {
      return (await allTokens(db)).filter((row) => row.source === 'user').map(toExported)
    },
    async plan(exported) {
      refuseDuplicates(exported)
      const here = await allTokens(db)
      const isEnded = await wasEndedHere(db, 'token')
      const missing = exported.filter(
        ({ id, tokenHash }) => !here.some((row) => row.id === id || row.token_hash === tokenHash),
      )
      const ended = missing.filter(isEnded)
      const added = missing.filter((token) => !ended.includes(token))
      if (here.length + added.length > maxTokens) {
        throw invalidFile('apiTokens', `there would be more than ${maxTokens} tokens`)
      }
      const notes = []
      if (ended.length > 0) {
        notes.push(
          `API tokens that were revoked here stay revoked: ${listed(ended.map(({ name }) => name))}.`,
        )
      }
      if (added.length > 0) notes.push(`API tokens added: ${listed(added.map(({ name }) => name))}.`)
      return {
        summary: count(added.length, 'API token'),
        notes,
        changes: { tokens: added.map(toChange) },
        queries: added.map((token) => db.query.insertInto('api_tokens').values(toRow(token)).compile()),
      }
    },
  })

const allTokens = (db: Database) =>
  db.query.selectFrom('api_tokens').selectAll().orderBy('created_at').execute()

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
  ...rest
}: ExportedToken): ApiTokenRow => ({
  ...rest,
  source: 'user',
  token_hash: tokenHash,
  scopes: JSON.stringify(allScopes.filter((scope) => scopes.includes(scope))),
  created_at: createdAt,
  last_used_at: lastUsedAt,
  expires_at: expiresAt,
  // accounts are other ones where the file comes from
  made_by: null,
  made_by_name: null,
  parent_id: null,
})

function refuseDuplicates(tokens: readonly ExportedToken[]): void {
  const seen = new Set<string>()
  for (const [n, { id, tokenHash }] of tokens.entries()) {
    for (const mark of [`id ${id}`, tokenHash]) {
      if (seen.has(mark)) throw invalidFile(`apiTokens[${n}]`, 'the token is there twice')
      seen.add(mark)
    }
  }
}
