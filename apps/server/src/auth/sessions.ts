import type { ActorMethod } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { createHash, randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { AppError } from '../app-error.ts'
import type { SessionRow } from '../db/schema.ts'
import type { SessionStore } from '../db/sessions.ts'
import type { Caller } from './caller.ts'
import { csrfCookie, csrfCookieOf, sessionCookie, setCookie } from './cookies.ts'

const HOUR_MS = 3_600_000
/** A session that nobody uses ends. */
const IDLE_MS = 24 * HOUR_MS
/** And every session ends some day, however busy. */
const LIFE_MS = 30 * 24 * HOUR_MS
const SEEN_EVERY_MS = 10 * 60_000
const MAX_PER_USER = 50

export interface Sessions {
  start(): Promise<void>
  /**
   * A new session; the answer carries its cookies. `isStillRight` is asked at the very end: a password that was
   * changed meanwhile opens nothing.
   */
  create(userId: string, method: ActorMethod, caller: Caller, isStillRight?: () => boolean): Promise<string[]>
  /** The live session behind a cookie. */
  find(token: string): SessionRow | undefined
  isLive(tokenHash: string): boolean
  /** Keeps an open socket's session from going idle. */
  touch(tokenHash: string): void
  end(tokenHash: string): Promise<void>
  /** Forgets the sessions of a user whose rows the store has removed already. */
  forgetUser(userId: string): void
  clearCookies(caller: Caller): string[]
  stop(): void
}

export interface SessionEdges {
  store: SessionStore
  clock: Clock
  log: Logger
  /** some session ended */
  onEnded: () => void
}

export function createSessions({ store, clock, log, onEnded }: SessionEdges): Sessions {
  const sessions = new Map<string, SessionRow>()
  let cancelPrune: (() => void) | undefined

  const isOver = (row: SessionRow, now: number) =>
    now >= row.expires_at || now - row.last_seen_at >= IDLE_MS || row.created_at - now > LIFE_MS

  function drop(hashes: readonly string[]) {
    for (const hash of hashes) sessions.delete(hash)
    if (hashes.length > 0) onEnded()
    return store.remove(hashes)
  }

  function prune() {
    const now = clock.now()
    const over = [...sessions.values()].filter((row) => isOver(row, now)).map((row) => row.token_hash)
    drop(over).catch((err: unknown) => log.error({ err }, 'ended sessions could not be removed'))
    cancelPrune = clock.after(HOUR_MS, prune)
  }

  function touch(hash: string) {
    const row = sessions.get(hash)
    const now = clock.now()
    if (!row || Math.abs(now - row.last_seen_at) < SEEN_EVERY_MS) return
    sessions.set(hash, { ...row, last_seen_at: now })
    store
      .seen(hash, now)
      .catch((err: unknown) => log.error({ err }, 'the use of a session could not be noted'))
  }

  function live(hash: string): SessionRow | undefined {
    const row = sessions.get(hash)
    return row && !isOver(row, clock.now()) ? row : undefined
  }

  return {
    async start() {
      for (const row of await store.all()) sessions.set(row.token_hash, row)
      prune()
    },
    async create(userId, method, caller, isStillRight = () => true) {
      const token = randomBytes(32).toString('hex')
      const now = clock.now()
      const row: SessionRow = {
        token_hash: hashOf(token),
        user_id: userId,
        method,
        client: caller.client,
        user_agent: (caller.headers['user-agent'] ?? '').slice(0, 256),
        created_at: now,
        last_seen_at: now,
        expires_at: now + LIFE_MS,
      }
      await store.insert(row)
      const others = [...sessions.values()].filter((s) => s.user_id === userId)
      sessions.set(row.token_hash, row)
      if (!isStillRight()) {
        await drop([row.token_hash])
        throw new AppError('invalid_credentials', 'The password was changed meanwhile.')
      }
      const oldest = others.toSorted((a, b) => b.last_seen_at - a.last_seen_at).slice(MAX_PER_USER - 1)
      await drop(oldest.map((s) => s.token_hash))
      const maxAge = LIFE_MS / 1000
      return [
        setCookie(sessionCookie, token, { https: caller.https, maxAge }),
        csrfCookieOf(token, caller, maxAge),
      ]
    },
    find(token) {
      if (!/^[0-9a-f]{64}$/.test(token)) return undefined
      const row = live(hashOf(token))
      if (row) touch(row.token_hash)
      return row
    },
    isLive: (hash) => live(hash) !== undefined,
    touch,
    end: (hash) => drop(sessions.has(hash) ? [hash] : []),
    forgetUser(userId) {
      for (const [hash, row] of sessions) if (row.user_id === userId) sessions.delete(hash)
      onEnded()
    },
    clearCookies: ({ https }) => [
      setCookie(sessionCookie, '', { https, maxAge: 0 }),
      setCookie(csrfCookie, '', { https, maxAge: 0, httpOnly: false }),
    ],
    stop: () => cancelPrune?.(),
  }
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
