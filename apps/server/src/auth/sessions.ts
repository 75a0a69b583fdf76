import type { ActorMethod } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { createHash, randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { AppError } from '../app-error.ts'
import { unlessDiskRefuses } from '../database-error.ts'
import type { SessionRow } from '../db/schema.ts'
import type { SessionStore } from '../db/sessions.ts'
import { createTicker, type Ticker } from '../timing/ticker.ts'
import type { Caller } from './caller.ts'
import { csrfCookie, csrfCookieOf, sessionCookie, setCookie } from './cookies.ts'

const HOUR_MS = 3_600_000
/** An unused session ends after this time. */
const IDLE_MS = 24 * HOUR_MS
/** Every session ends after this time, even while it is in use. */
const LIFE_MS = 30 * 24 * HOUR_MS
const SEEN_INTERVAL_MS = 10 * 60_000
const MAX_PER_USER = 50

export interface Sessions {
  start(): Promise<void>
  /** Every change is a single statement, so no job has to wait. */
  runExclusive<T>(job: () => Promise<T>): Promise<T>
  /** Reads the stored sessions again after a write by another process. */
  reload(): Promise<void>
  /**
   * Creates a session; the answer carries its cookies. `isStillRight` is checked last, because the password
   * may have changed meanwhile.
   */
  create(userId: string, method: ActorMethod, caller: Caller, isStillRight?: () => boolean): Promise<string[]>
  /** The live session behind a cookie. */
  find(token: string): SessionRow | undefined
  isLive(tokenHash: string): boolean
  /** Keeps the session of an open socket active. */
  touch(tokenHash: string): void
  end(tokenHash: string): Promise<void>
  /** Forgets the sessions of a user after the store has removed their rows. */
  forgetUser(userId: string): void
  clearCookies(caller: Caller): string[]
  stop(): void
}

export interface SessionEdges {
  store: SessionStore
  clock: Clock
  log: Logger
  /** a session has ended */
  onEnded: () => void
}

/** A session with its times on the monotonic clock: setting the wall clock signs no user out. */
interface Held {
  row: SessionRow
  usedAt: number
  endsAt: number
  /** when its last use was stored */
  notedAt: number
  /** increases with every use of any session, and so orders uses at the same time */
  use: number
}

export function createSessions({ store, clock, log, onEnded }: SessionEdges): Sessions {
  const sessions = new Map<string, Held>()
  /** sessions that the disk has refused to store */
  const unstored = new Set<string>()
  /** ended sessions that the disk has refused to delete */
  const unremoved = new Set<string>()
  /** for each reading of all rows: the sessions that have begun or ended since it began */
  const readings = new Set<Set<string>>()
  let uses = 0
  let pruning: Ticker | undefined

  function changed(hash: string) {
    for (const reading of readings) reading.add(hash)
  }

  /** The cookie has the 30 days as a date, so the wall clock counts too. */
  function isOver({ row, usedAt, endsAt }: Held): boolean {
    const monotonic = clock.monotonic()
    return monotonic - usedAt >= IDLE_MS || monotonic >= endsAt || clock.now() >= row.expires_at
  }

  function hold(row: SessionRow, idleMs: number) {
    const [now, monotonic] = [clock.now(), clock.monotonic()]
    const usedAt = monotonic - idleMs
    const endsAt = monotonic + Math.min(row.expires_at - now, LIFE_MS)
    sessions.set(row.token_hash, { row, usedAt, endsAt, notedAt: usedAt, use: ++uses })
  }

  async function drop(hashes: readonly string[]) {
    for (const hash of hashes) {
      sessions.delete(hash)
      changed(hash)
    }
    if (hashes.length > 0) onEnded()
    for (const hash of hashes) if (!unstored.delete(hash)) unremoved.add(hash)
    const removed = [...unremoved]
    await store.remove(removed)
    for (const hash of removed) {
      unremoved.delete(hash)
      // a reading that has begun before may have found it
      changed(hash)
    }
  }

  function prune() {
    const over = [...sessions.values()].filter(isOver).map(({ row }) => row.token_hash)
    return drop(over)
  }

  function touch(hash: string) {
    const held = sessions.get(hash)
    if (!held || isOver(held)) return
    const [now, monotonic] = [clock.now(), clock.monotonic()]
    held.usedAt = monotonic
    held.use = ++uses
    if (monotonic - held.notedAt < SEEN_INTERVAL_MS) return
    held.notedAt = monotonic
    held.row = { ...held.row, last_seen_at: now }
    store
      .seen(hash, now)
      .catch((err: unknown) => log.error({ err }, 'cannot store the last use of a session'))
  }

  function live(hash: string): SessionRow | undefined {
    const held = sessions.get(hash)
    return held && !isOver(held) ? held.row : undefined
  }

  return {
    async start() {
      const now = clock.now()
      const rows = (await store.all()).filter((row) => !isOfFarFuture(row, now))
      sessions.clear()
      for (const row of rows.toSorted((a, b) => a.last_seen_at - b.last_seen_at)) {
        hold(row, Math.max(0, now - row.last_seen_at))
      }
      pruning?.stop()
      pruning = createTicker({
        clock,
        intervalMs: HOUR_MS,
        run: prune,
        onError: (err) => log.error({ err }, 'cannot delete ended sessions'),
      })
      pruning.now()
    },
    runExclusive: (job) => job(),
    async reload() {
      // other processes still have what could not be removed
      if (unremoved.size > 0)
        await drop([]).catch((err: unknown) => log.error({ err }, 'cannot delete ended sessions'))
      const now = clock.now()
      // what changes meanwhile is newer than what is read
      const newer = new Set<string>()
      readings.add(newer)
      const read = await store.all().finally(() => readings.delete(newer))
      const rows = new Map(read.map((row) => [row.token_hash, row]))
      for (const hash of sessions.keys())
        if (!rows.has(hash) && !unstored.has(hash) && !newer.has(hash)) sessions.delete(hash)
      for (const row of rows.values()) {
        if (unremoved.has(row.token_hash) || newer.has(row.token_hash)) continue
        const idleMs = Math.max(0, now - row.last_seen_at)
        const held = sessions.get(row.token_hash)
        if (!held && isOfFarFuture(row, now)) continue
        if (!held) hold(row, idleMs)
        // used in another process
        else if (row.last_seen_at > held.row.last_seen_at) {
          held.row = row
          held.usedAt = Math.max(held.usedAt, clock.monotonic() - idleMs)
        }
      }
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
      // An administrator must be able to sign in to free disk space. This session ends with the process.
      await store.insert(row).catch((error: unknown) => {
        unlessDiskRefuses(error)
        unstored.add(row.token_hash)
        log.warn({ err: error }, 'cannot store a session; it ends when Pulse restarts')
      })
      const others = [...sessions.values()].filter((held) => held.row.user_id === userId)
      hold(row, 0)
      changed(row.token_hash)
      if (!isStillRight()) {
        await drop([row.token_hash])
        throw new AppError('invalid_credentials', 'The password changed during the sign-in.')
      }
      const surplus = others.toSorted((a, b) => b.use - a.use).slice(MAX_PER_USER - 1)
      drop(surplus.map((held) => held.row.token_hash)).catch((err: unknown) =>
        log.error({ err }, 'cannot delete ended sessions'),
      )
      const maxAge = LIFE_MS / 1000
      return [
        setCookie(sessionCookie, token, { https: caller.https, maxAge }),
        csrfCookieOf(token, caller, maxAge),
      ]
    },
    find(token) {
      if (!isSessionToken(token)) return undefined
      const hash = hashOf(token)
      if (!live(hash)) return undefined
      touch(hash)
      return live(hash)
    },
    isLive: (hash) => live(hash) !== undefined,
    touch,
    end: (hash) => drop(sessions.has(hash) ? [hash] : []),
    forgetUser(userId) {
      for (const [hash, { row }] of sessions)
        if (row.user_id === userId) {
          sessions.delete(hash)
          changed(hash)
          unstored.delete(hash)
        }
      onEnded()
    },
    clearCookies: ({ https }) => [
      setCookie(sessionCookie, '', { https, maxAge: 0 }),
      setCookie(csrfCookie, '', { https, maxAge: 0, httpOnly: false }),
    ],
    stop: () => pruning?.stop(),
  }
}

/** Of a stored session only the wall clock tells the age, which may have been wrong when it began. Such a session is dropped. */
const isOfFarFuture = (row: SessionRow, now: number) => row.created_at - now > LIFE_MS

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** Whether it looks like one. */
export const isSessionToken = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)
