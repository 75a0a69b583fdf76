import {
  allScopes,
  type ApiToken,
  defaultTokenName,
  type NewTokenInput,
  type NewTokenReply,
  type Scope,
} from '@pulse/contract'
import type { Secret } from '@pulse/domain'
import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { AppError } from '../app-error.ts'
import type { ApiTokenRow } from '../db/schema.ts'
import { environmentRow, hashOf, iso, newTokenRow, scopesOf, toRecord } from './api-token-rows.ts'
import { type ApiTokenTableEdges, type BoundColumns, createApiTokenTable } from './api-token-table.ts'
import type { Principal } from './principal.ts'

const USED_INTERVAL_MS = 60_000
export const maxTokens = 1_000

/** The creator of a token. A token can only create tokens with at most its own scopes and lifetime. */
export type Maker = Pick<Principal, 'id' | 'name' | 'method' | 'scopes'> &
  Partial<Pick<Principal, 'isCurrent'>>

export interface ApiTokens {
  /**
   * `environment`: the tokens of the environment. Tokens that were removed from it end, together with their
   * descendants.
   */
  start(environment: readonly Secret[]): Promise<ApiToken[]>
  list(): ApiToken[]
  /** `boundTo`: the host of a token for a single Docker host. */
  create(input: NewTokenInput, maker: Maker, boundTo?: BoundHost): Promise<NewTokenReply>
  /** Binds the token to this host only. */
  bind(id: string, host: BoundHost): Promise<void>
  /** Undefined once the token is invalid. */
  get(id: string): ApiToken | undefined
  /** Adds a token that was created elsewhere, for example by the setup form. */
  adopt(raw: string, name: string, replaceOthers: boolean, maker: Maker): Promise<ApiToken>
  /** Returns the token first, then its descendants. */
  revoke(id: string): Promise<ApiToken[]>
  /** Replaces all tokens that were created here by a new one. */
  replaceAll(maker: Maker): Promise<NewTokenReply>
  /** `user:…` or `proxy:…` of the caller's user; for a token, of the user who created it. */
  makerId(caller: Maker): string
  /** Ends the tokens of all makers for whom `isGone` is true, and returns them. */
  endOf(isGone: (makerId: string) => boolean): Promise<ApiToken[]>
  handOver(makerId: string, to: Maker): Promise<ApiToken[]>
  find(raw: string): FoundToken | undefined
  isLive(id: string): boolean
  /** Every change here is a single statement, so no job has to wait. */
  runExclusive<T>(job: () => Promise<T>): Promise<T>
  /** Reads the stored tokens again after a write by another process. */
  reload(): Promise<void>
  stop(): void
}

type BoundHost = NonNullable<ApiToken['boundHost']>

export interface FoundToken {
  id: string
  name: string
  scopes: readonly Scope[]
}

export interface ApiTokenEdges extends ApiTokenTableEdges {
  log: Logger
}

export function createApiTokens({ log, ...edges }: ApiTokenEdges): ApiTokens {
  const { store, clock } = edges
  const table = createApiTokenTable(edges)
  const { byId, change } = table

  const madeHere = () => table.all().filter((row) => row.source === 'user')
  const tokenOf = ({ id, method }: Maker) =>
    method === 'token' ? byId(id.replace(/^token:/, '')) : undefined

  /** The rows, followed by all their descendants. */
  function withChildren(rows: readonly ApiTokenRow[]): ApiTokenRow[] {
    const all = new Set(rows)
    for (const one of all) {
      for (const row of madeHere()) if (row.parent_id === one.id) all.add(row)
    }
    return [...all]
  }

  /**
   * The parent of a token that replaces all others. An environment token stays, and limits the new token's
   * lifetime.
   */
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

  const newRow = (raw: string, name: string, rest: Partial<ApiTokenRow>) =>
    newTokenRow(raw, name, clock.now(), rest)

  /** Ends a token whose maker lost the right while the token was being written. */
  async function endIfOrphan(row: ApiTokenRow, { isCurrent }: Maker) {
    if (isCurrent?.() ?? true) return
    await change(withChildren([row]), [])
    throw new AppError('authentication_required', 'Authentication required')
  }

  return {
    runExclusive: (job) => job(),
    reload: table.reload,
    async start(environment) {
      await table.reload()
      const rows = environment.map((secret) => environmentRow(secret.reveal(), clock.now()))
      const given = new Map(rows.map((row) => [row.token_hash, row]))
      const all = table.all()
      const gone = all.filter((row) => row.source === 'environment' && !given.has(row.token_hash))
      // The environment now provides a token that was created here. It becomes the environment's; otherwise
      // it would return after a revocation.
      const taken = all.filter((row) => row.source === 'user' && given.has(row.token_hash))
      const fresh = [...given.values()].filter((row) => !table.byHash(row.token_hash))
      const owned = taken.map((row) => ({ ...row, ...noMaker, source: 'environment' }))
      const ended = withChildren(gone)
      if (ended.length + taken.length + fresh.length > 0)
        await change([...ended, ...taken], [...fresh, ...owned])
      return ended.map(toRecord)
    },
    list: () => table.all().map(toRecord),
    async create({ name, scopes = [...allScopes], expiresAt, oneHost }, maker, boundTo) {
      const { scopes: held } = maker
      const beyond = held ? scopes.filter((scope) => !held.includes(scope)) : []
      if (beyond.length > 0) {
        throw new AppError(
          'forbidden',
          `Your token cannot grant scopes that it does not have: ${beyond.join(', ')}.`,
        )
      }
      const expires = expiresAt === undefined ? null : Date.parse(expiresAt)
      if (expires !== null && expires <= clock.now()) {
        throw new AppError('validation_failed', 'The expiry must be in the future.', {
          details: { expiresAt: 'The expiry must be in the future.' },
        })
      }
      const parent = tokenOf(maker)
      const latest = parent?.expires_at ?? null
      if (latest !== null && (expires === null || expires > latest)) {
        throw new AppError(
          'forbidden',
          `Your token ends at ${iso(latest)}. A token created with it cannot expire later: set expiresAt to that time or earlier.`,
        )
      }
      const { length: count } = table.all()
      if (count >= maxTokens) {
        throw new AppError('conflict', `There are ${count} tokens already. Revoke some first.`)
      }
      const raw = randomBytes(32).toString('hex')
      const row = newRow(raw, name || defaultTokenName, {
        scopes: JSON.stringify(allScopes.filter((scope) => scopes.includes(scope))),
        expires_at: expires,
        ...marksOf(maker),
        parent_id: parent?.id ?? null,
        one_host: oneHost || boundTo ? 1 : 0,
        ...(boundTo && boundColumns(boundTo)),
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
      const same = table.byHash(row.token_hash)
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
      await table.replace(kept)
      return kept.map(toRecord)
    },
    find(raw) {
      const row = table.byHash(hashOf(raw)) ?? table.byHash(hashOf(raw.toLowerCase()))
      if (!row || table.isOver(row)) return undefined
      const now = clock.now()
      if (row.last_used_at === null || now - row.last_used_at >= USED_INTERVAL_MS) {
        row.last_used_at = now
        store
          .used(row.id, now)
          .catch((err: unknown) => log.error({ err }, 'cannot store the last use of an API token'))
      }
      return { id: row.id, name: row.name, scopes: scopesOf(row) }
    },
    async bind(id, host) {
      const row = byId(id)
      if (!row) throw new AppError('authentication_required', 'Authentication required')
      await table.bind(row, boundColumns(host))
    },
    get(id) {
      const row = byId(id)
      return row && !table.isOver(row) ? toRecord(row) : undefined
    },
    isLive(id) {
      const row = byId(id)
      return row !== undefined && !table.isOver(row)
    },
    stop: table.stop,
  }
}

const boundColumns = ({ id, name }: BoundHost): BoundColumns => ({ bound_host: id, bound_host_name: name })

const noMaker = { made_by: null, made_by_name: null, parent_id: null }
