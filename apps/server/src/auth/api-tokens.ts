import {
  allScopes,
  type ApiToken,
  defaultTokenName,
  type NewTokenInput,
  type NewTokenReply,
  Scope,
} from '@pulse/contract'
import type { Clock, Secret } from '@pulse/domain'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { AppError } from '../app-error.ts'
import type { ApiTokenStore } from '../db/api-tokens.ts'
import type { ApiTokenRow } from '../db/schema.ts'
import type { Principal } from './principal.ts'

const USED_EVERY_MS = 60_000
export const maxTokens = 1_000

/** After so long a timer is set again: none may be longer than 24 days. */
const LOOK_AGAIN_MS = 24 * 3_600_000

/** Who makes a token. Another token gives no more than it has, and no longer than it lives. */
export type Maker = Pick<Principal, 'id' | 'name' | 'method' | 'scopes'> &
  Partial<Pick<Principal, 'isCurrent'>>

export interface ApiTokens {
  /** `environment` are the tokens the environment gives; those it no longer gives end, and what was made with them. */
  start(environment: readonly Secret[]): Promise<ApiToken[]>
  list(): ApiToken[]
  create(input: NewTokenInput, maker: Maker): Promise<NewTokenReply>
  /** Takes a token that somebody else made, as the setup form does. */
  adopt(raw: string, name: string, replaceOthers: boolean, maker: Maker): Promise<ApiToken>
  /** The token first, then those that were made with it. */
  revoke(id: string): Promise<ApiToken[]>
  /** One new token instead of all that were made here. */
  replaceAll(maker: Maker): Promise<NewTokenReply>
  /** `user:…` or `proxy:…` of whoever is behind a caller; of a token that is who made it. */
  makerId(caller: Maker): string
  /** Of everybody whose id `isGone`; the tokens that ended. */
  endOf(isGone: (makerId: string) => boolean): Promise<ApiToken[]>
  handOver(makerId: string, to: Maker): Promise<ApiToken[]>
  find(raw: string): FoundToken | undefined
  isLive(id: string): boolean
  /** Every change here is one statement already: nothing has to wait. */
  inTurn<T>(job: () => Promise<T>): Promise<T>
  /** Takes up what is stored now, after somebody else has written. */
  reload(): Promise<void>
  stop(): void
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
  /** some token was revoked, or has expired this moment */
  onEnded: () => void
  onWrite: () => void
}

export function createApiTokens({ store, clock, log, onEnded, onWrite }: ApiTokenEdges): ApiTokens {
  /** by hash, newest first */
  let tokens = new Map<string, ApiTokenRow>()
  /** By id: the end by the monotonic clock, so that a clock set back makes nothing live longer. */
  const ends = new Map<string, number>()
  let cancelTimer = () => {}

  async function change(remove: readonly ApiTokenRow[], insert: readonly ApiTokenRow[]) {
    await store.change({ remove: remove.map(({ id }) => id), insert })
    const gone = new Set(remove.map((row) => row.token_hash))
    const rest = [...tokens].filter(([hash]) => !gone.has(hash))
    take([...insert.map((row) => [row.token_hash, row] as const), ...rest])
    onWrite()
    if (remove.length > 0) onEnded()
  }

  function take(entries: readonly (readonly [string, ApiTokenRow])[]) {
    tokens = new Map(entries)
    const before = new Map(ends)
    ends.clear()
    for (const { id, expires_at } of tokens.values()) {
      if (expires_at === null) continue
      ends.set(id, before.get(id) ?? clock.monotonic() + expires_at - clock.now())
    }
    setTimer()
  }

  /** The date counts, and so does the time that was left when it was last read. */
  const leftMs = ({ id, expires_at }: ApiTokenRow) =>
    expires_at === null ? Infinity : Math.min(expires_at - clock.now(), ends.get(id)! - clock.monotonic())
  const isOver = (row: ApiTokenRow) => leftMs(row) <= 0

  /** Whose sockets are open learns it when the moment comes. */
  function setTimer() {
    cancelTimer()
    const left = [...tokens.values()].map(leftMs).filter((ms) => ms > 0 && ms < Infinity)
    if (left.length === 0) return
    const next = Math.min(...left)
    cancelTimer = clock.after(Math.min(next, LOOK_AGAIN_MS), () => {
      if (next <= LOOK_AGAIN_MS) onEnded()
      setTimer()
    })
  }

  const madeHere = () => [...tokens.values()].filter((row) => row.source === 'user')
  const byId = (id: string) => [...tokens.values()].find((row) => row.id === id)
  const tokenOf = ({ id, method }: Maker) =>
    method === 'token' ? byId(id.replace(/^token:/, '')) : undefined

  /** Those rows first, then what was made with them, and with that. */
  function withChildren(rows: readonly ApiTokenRow[]): ApiTokenRow[] {
    const all = new Set(rows)
    for (const one of all) {
      for (const row of madeHere()) if (row.parent_id === one.id) all.add(row)
    }
    return [...all]
  }

  /** Of what replaces all that was made here: the environment's token stays, and decides how long that lives. */
  function parentBeyond(maker: Maker): string | null {
    const parent = tokenOf(maker)
    return parent?.source === 'environment' ? parent.id : null
  }

  function makerOf(maker: Maker): { id: string; name: string } {
    const token = tokenOf(maker)
    return token?.made_by ? { id: token.made_by, name: token.made_by_name ?? '' } : maker
  }

  function marksOf(maker: Maker): Pick<ApiTokenRow, 'made_by' | 'made_by_name'> {
    const { id, name } = makerOf(maker)
    return { made_by: id, made_by_name: name }
  }

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
      made_by: null,
      made_by_name: null,
      parent_id: null,
      ...rest,
    }
  }

  /** A right that ended while the token was being written did not see it yet. */
  async function endIfOrphan(row: ApiTokenRow, { isCurrent }: Maker) {
    if (isCurrent?.() ?? true) return
    await change(withChildren([row]), [])
    throw new AppError('authentication_required', 'Authentication required')
  }

  async function reload() {
    take((await store.all()).map((row) => [row.token_hash, row] as const))
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
      const owned = taken.map((row) => ({ ...row, ...noMaker, source: 'environment' }))
      const ended = withChildren(gone)
      if (ended.length + taken.length + fresh.length > 0)
        await change([...ended, ...taken], [...fresh, ...owned])
      return ended.map(toRecord)
    },
    list: () => [...tokens.values()].map(toRecord),
    async create({ name, scopes = [...allScopes], expiresAt }, maker) {
      const { scopes: held } = maker
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
      const parent = tokenOf(maker)
      const latest = parent?.expires_at ?? null
      if (latest !== null && (expires === null || expires > latest)) {
        throw new AppError(
          'forbidden',
          `Your token ends at ${iso(latest)}. What it makes cannot live longer: give expiresAt up to then.`,
        )
      }
      if (tokens.size >= maxTokens) {
        throw new AppError('conflict', `There are ${tokens.size} tokens already. Revoke some first.`)
      }
      const raw = randomBytes(32).toString('hex')
      const row = newRow(raw, name || defaultTokenName, {
        scopes: JSON.stringify(allScopes.filter((scope) => scopes.includes(scope))),
        expires_at: expires,
        ...marksOf(maker),
        parent_id: parent?.id ?? null,
      })
      await change([], [row])
      await endIfOrphan(row, maker)
      return { token: raw, record: toRecord(row) }
    },
    async adopt(raw, name, replaceOthers, maker) {
      const row = newRow(raw.toLowerCase(), name, {
        ...marksOf(maker),
        expires_at: tokenOf(maker)?.expires_at ?? null,
        parent_id: parentBeyond(maker),
      })
      const same = tokens.get(row.token_hash)
      if (same?.source === 'environment') return toRecord(same)
      await change(replaceOthers ? madeHere() : same ? [same] : [], [row])
      return toRecord(row)
    },
    async revoke(id) {
      const row = byId(id)
      if (!row) throw new AppError('not_found', 'There is no such API token.')
      if (row.source === 'environment') {
        throw new AppError(
          'locked_by_environment',
          'This token comes from API_TOKENS in the environment. Remove it there and restart Pulse.',
        )
      }
      const rows = withChildren([row])
      await change(rows, [])
      return rows.map(toRecord)
    },
    async replaceAll(maker) {
      const raw = randomBytes(32).toString('hex')
      const expires_at = tokenOf(maker)?.expires_at ?? null
      const parent_id = parentBeyond(maker)
      const row = newRow(raw, defaultTokenName, { ...marksOf(maker), expires_at, parent_id })
      await change(madeHere(), [row])
      return { token: raw, record: toRecord(row) }
    },
    makerId: (caller) => makerOf(caller).id,
    async endOf(isGone) {
      const rows = withChildren(madeHere().filter(({ made_by }) => made_by !== null && isGone(made_by)))
      if (rows.length > 0) await change(rows, [])
      return rows.map(toRecord)
    },
    async handOver(makerId, to) {
      const rows = madeHere().filter(({ made_by }) => made_by === makerId)
      const kept = rows.map((row) => ({ ...row, ...marksOf(to) }))
      if (rows.length === 0) return []
      await store.change({ remove: rows.map(({ id }) => id), insert: kept })
      const changed = new Map(kept.map((row) => [row.token_hash, row]))
      take([...tokens].map(([hash, row]) => [hash, changed.get(hash) ?? row] as const))
      onWrite()
      return kept.map(toRecord)
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
    isLive(id) {
      const row = byId(id)
      return row !== undefined && !isOver(row)
    },
    stop: () => cancelTimer(),
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

const noMaker = { made_by: null, made_by_name: null, parent_id: null }

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
  ...(row.made_by === null ? {} : { madeBy: { id: row.made_by, name: row.made_by_name ?? row.made_by } }),
  ...(row.parent_id === null ? {} : { madeWith: row.parent_id }),
})
