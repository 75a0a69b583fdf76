import {
  allScopes,
  type ApiToken,
  defaultTokenName,
  type NewTokenInput,
  type NewTokenReply,
  Scope,
} from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { AppError } from '../app-error.ts'
import type { ApiTokenStore } from '../db/api-tokens.ts'
import type { ApiTokenRow } from '../db/schema.ts'
import type { Secret } from '../secret.ts'

const USED_EVERY_MS = 60_000
export const maxTokens = 1_000

export interface ApiTokens {
  /** `environment` are the tokens the environment gives; those it no longer gives end. */
  start(environment: readonly Secret[]): Promise<void>
  list(): ApiToken[]
  create(input: NewTokenInput, held: readonly Scope[] | undefined): Promise<NewTokenReply>
  /** Takes a token that somebody else made, as the setup form does. */
  adopt(raw: string, name: string, replaceOthers: boolean): Promise<ApiToken>
  revoke(id: string): Promise<ApiToken>
  /** One new token instead of all that were made here. */
  replaceAll(): Promise<NewTokenReply>
  find(raw: string): FoundToken | undefined
  isLive(id: string): boolean
  /** Every change here is one statement already: nothing has to wait. */
  inTurn<T>(job: () => Promise<T>): Promise<T>
  /** Takes up what is stored now, after somebody else has written. */
  reload(): Promise<void>
}

export interface FoundToken {
  id: string
  name: string
  scopes: readonly Scope[]
}

export interface ApiTokenEdges {
  store: ApiTokenStore
  clock: Clock
  log: Logger
  onEnded: () => void
  onWrite: () => void
}

export function createApiTokens({ store, clock, log, onEnded, onWrite }: ApiTokenEdges): ApiTokens {
  /** by hash, newest first */
  let tokens = new Map<string, ApiTokenRow>()

  async function change(remove: readonly ApiTokenRow[], insert: readonly ApiTokenRow[]) {
    await store.change({ remove: remove.map(({ id }) => id), insert })
    const gone = new Set(remove.map((row) => row.token_hash))
    const rest = [...tokens].filter(([hash]) => !gone.has(hash))
    tokens = new Map([...insert.map((row) => [row.token_hash, row] as const), ...rest])
    onWrite()
    if (remove.length > 0) onEnded()
  }

  const isOver = (row: ApiTokenRow) => row.expires_at !== null && clock.now() >= row.expires_at
  const madeHere = () => [...tokens.values()].filter((row) => row.source === 'user')

  function newRow(raw: string, name: string, rest: Partial<ApiTokenRow> = {}): ApiTokenRow {
    return {
      id: randomUUID(),
      source: 'user',
      name,
      token_hash: hashOf(raw),
      prefix: raw.slice(0, 6),
      suffix: raw.slice(-4),
      scopes: JSON.stringify(allScopes),
      created_at: clock.now(),
      last_used_at: null,
      expires_at: null,
      ...rest,
    }
  }

  async function reload() {
    tokens = new Map((await store.all()).map((row) => [row.token_hash, row]))
  }

  return {
    inTurn: (job) => job(),
    reload,
    async start(environment) {
      await reload()
      const rows = environment.map((secret) => fromEnvironment(secret.reveal(), newRow))
      const given = new Map(rows.map((row) => [row.token_hash, row]))
      const all = [...tokens.values()]
      const gone = all.filter((row) => row.source === 'environment' && !given.has(row.token_hash))
      // made here and now given as well: from now on the environment's, or it would come back after its revocation
      const taken = all.filter((row) => row.source === 'user' && given.has(row.token_hash))
      const fresh = [...given.values()].filter((row) => !tokens.has(row.token_hash))
      const owned = taken.map((row) => ({ ...row, source: 'environment' }))
      if (gone.length + taken.length + fresh.length > 0)
        await change([...gone, ...taken], [...fresh, ...owned])
    },
    list: () => [...tokens.values()].map(toRecord),
    async create({ name, scopes = [...allScopes], expiresAt }, held) {
      const beyond = held ? scopes.filter((scope) => !held.includes(scope)) : []
      if (beyond.length > 0) {
        throw new AppError(
          'forbidden',
          `Your token cannot give scopes it does not have: ${beyond.join(', ')}.`,
        )
      }
      const expires = expiresAt === undefined ? null : Date.parse(expiresAt)
      if (expires !== null && expires <= clock.now()) {
        throw new AppError('validation_failed', 'The expiry must lie in the future.', {
          details: { expiresAt: 'The expiry must lie in the future.' },
        })
      }
      if (tokens.size >= maxTokens) {
        throw new AppError('conflict', `There are ${tokens.size} tokens already. Revoke some first.`)
      }
      const raw = randomBytes(32).toString('hex')
      const row = newRow(raw, name || defaultTokenName, {
        scopes: JSON.stringify(allScopes.filter((scope) => scopes.includes(scope))),
        expires_at: expires,
      })
      await change([], [row])
      return { token: raw, record: toRecord(row) }
    },
    async adopt(raw, name, replaceOthers) {
      const row = newRow(raw.toLowerCase(), name)
      const same = tokens.get(row.token_hash)
      if (same?.source === 'environment') return toRecord(same)
      await change(replaceOthers ? madeHere() : same ? [same] : [], [row])
      return toRecord(row)
    },
    async revoke(id) {
      const row = [...tokens.values()].find((one) => one.id === id)
      if (!row) throw new AppError('not_found', 'There is no such API token.')
      if (row.source === 'environment') {
        throw new AppError(
          'locked_by_environment',
          'This token comes from API_TOKENS in the environment. Remove it there and restart Pulse.',
        )
      }
      await change([row], [])
      return toRecord(row)
    },
    async replaceAll() {
      const raw = randomBytes(32).toString('hex')
      const row = newRow(raw, defaultTokenName)
      await change(madeHere(), [row])
      return { token: raw, record: toRecord(row) }
    },
    find(raw) {
      const row = tokens.get(hashOf(raw)) ?? tokens.get(hashOf(raw.toLowerCase()))
      if (!row || isOver(row)) return undefined
      const now = clock.now()
      if (row.last_used_at === null || now - row.last_used_at >= USED_EVERY_MS) {
        row.last_used_at = now
        store
          .used(row.id, now)
          .catch((err: unknown) => log.error({ err }, 'the use of a token could not be noted'))
      }
      return { id: row.id, name: row.name, scopes: scopesOf(row) }
    },
    isLive: (id) => [...tokens.values()].some((row) => row.id === id && !isOver(row)),
  }
}

/** SHA3-256, so that tokens of the older product stay valid when their hashes are brought over. */
const hashOf = (raw: string) => createHash('sha3-256').update(raw).digest('hex')

/** `sha3:` marks a value that is the hash already; anything else is the token itself. */
function fromEnvironment(
  text: string,
  newRow: (raw: string, name: string, rest: Partial<ApiTokenRow>) => ApiTokenRow,
) {
  const hash = /^sha3:([0-9a-f]{64})$/i.exec(text)?.[1]?.toLowerCase()
  const base = { source: 'environment' }
  if (hash === undefined) return newRow(text, 'Environment token', base)
  return newRow('', 'Environment token', {
    ...base,
    token_hash: hash,
    prefix: 'sha3:',
    suffix: hash.slice(-4),
  })
}

const Scopes = z.array(Scope)
const scopesOf = (row: ApiTokenRow): Scope[] => Scopes.parse(JSON.parse(row.scopes))

const iso = (ms: number) => new Date(ms).toISOString()

const toRecord = (row: ApiTokenRow): ApiToken => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  suffix: row.suffix,
  scopes: scopesOf(row),
  createdAt: iso(row.created_at),
  ...(row.last_used_at === null ? {} : { lastUsedAt: iso(row.last_used_at) }),
  ...(row.expires_at === null ? {} : { expiresAt: iso(row.expires_at) }),
  source: row.source === 'environment' ? 'environment' : 'user',
})
