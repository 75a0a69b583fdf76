import type { SourceState } from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Host } from '../agent-kind.ts'
import type { AgentHostStore } from '../db/agent-hosts.ts'
import type { AgentHostRow, AgentRemovalRow } from '../db/schema.ts'
import { createMutex } from '../timing/concurrency.ts'
import { createTicker, type Ticker } from '../timing/ticker.ts'
import { createWriteBehind } from '../timing/write-behind.ts'
import type { State } from '../state/state.ts'
import { fromRow, toRow } from './host.ts'
import type { AgentKinds } from './kinds.ts'
import type { AgentProtocol } from './protocol.ts'

/** A removed host is blocked for this time. */
export const blockMs = 24 * 3_600_000
/** Values that change with every report are stored at this interval, and all that waits. */
const saveIntervalMs = 5 * 60_000
const batchHosts = 500

/** The hosts that agents report for: in memory, in the database and on the pages. */
export interface Hosts {
  all(): Host[]
  byId(hostId: string): Host | undefined
  /** an unused key for a host of this kind */
  newKey(kind: string): string
  /** Stores the host before it counts. */
  add(host: Host): Promise<void>
  /** Resolves when the host is stored. */
  save(host: Host): Promise<void>
  /** Stores the host within a moment, with all others that change then; in the background. */
  saveSoon(host: Host): void
  /** A value has changed that need not be stored immediately. */
  touch(host: Host): void
  show(host: Host): void
  /** Removes the host and blocks it for a day. */
  remove(host: Host): Promise<void>
  /** while it is blocked */
  removal(hostId: string): AgentRemovalRow | undefined
  removals(): AgentRemovalRow[]
  /** False when the host was not blocked. */
  allow(hostId: string): Promise<boolean>
  /** Serializes changes of the hosts and of their stored rows. */
  runExclusive<T>(job: () => Promise<T>): Promise<T>
  /** Reads the stored rows again; reports of running hosts stay. */
  reload(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

export interface HostsEdges {
  protocol: Pick<AgentProtocol, 'name' | 'noun'>
  kinds: AgentKinds
  store: AgentHostStore
  state: Pick<State, 'tables' | 'recordsOf' | 'observe' | 'adopt' | 'forget'>
  clock: Clock
  log: Logger
}

interface Removal {
  row: AgentRemovalRow
  /** by the monotonic clock */
  endsAt: number
}

export function createHosts({ protocol, kinds, store, state, clock, log }: HostsEdges): Hosts {
  const hosts = new Map<string, Host>()
  const removals = new Map<string, Removal>()
  const mutex = createMutex()
  const notStored = `cannot store the reports of ${protocol.noun}s`
  const queue = () =>
    createWriteBehind<Host>({
      clock,
      write: (changed) =>
        mutex(() => store.putAll(changed.filter((host) => hosts.get(host.id) === host).map(toRow))),
      batch: batchHosts,
      bound: Infinity,
      onRefused: (err) => log.error({ err }, notStored),
      onRecovered: () => log.info(`reports of ${protocol.noun}s can be stored again`),
    })
  const touched = queue()
  /** what is stored within a moment */
  const urgent = queue()
  let startedAt = -Infinity
  let saving: Ticker | undefined
  let savingSoon: Ticker | undefined

  function sourceState(host: Host): SourceState {
    const known: Omit<SourceState, 'health'> = {
      name: `${kinds.of(host).name}-${host.id}`,
      kind: protocol.name,
      ...(host.lastSeenAt !== undefined && { lastSeen: host.lastSeenAt }),
    }
    if (host.isOnline) return { ...known, health: 'healthy' }
    if (host.awaitedSince !== undefined) return { ...known, health: 'unknown' }
    return {
      ...known,
      health: 'error',
      error: 'The host is down, or its agent is not running or cannot reach Pulse.',
    }
  }

  function show(host: Host) {
    // A call may still use a removed host.
    if (hosts.get(host.id) !== host) return
    state.observe({ source: host.key, records: kinds.of(host).records(host), state: sourceState(host) })
  }

  async function reload() {
    if (startedAt === -Infinity) return
    for (const row of await store.all()) {
      const known = hosts.get(row.host_id)
      const host = known ?? read(row)
      if (known) known.hidden = row.hidden === 1
      hosts.set(host.id, host)
      // the process that led before knew more than one that has no report yet
      const isAsBefore = host.awaitedSince !== undefined && isStillSo(host, row) && state.adopt(host.key)
      if (!isAsBefore) show(host)
    }
  }

  /** By the process that led before. `isNewest`: the row is not from a later report, as after a time without several processes. */
  function saidOf(host: Host, row: AgentHostRow) {
    const said = kinds.of(host).keptIn((name) => state.recordsOf(host.key, name))
    const { lastSeen = -Infinity } = state.tables.sources.get(host.key) ?? {}
    return said && { ...said, isNewest: lastSeen >= (row.last_seen_at ?? -Infinity) }
  }

  /** What that process has said is all that is known. */
  function isStillSo(host: Host, row: AgentHostRow): boolean {
    const said = saidOf(host, row)
    if (!said?.isNewest) return false
    return said.isHidden === host.hidden && said.pendingUninstall === host.pendingUninstall
  }

  /** With what the process that led before has said of it, which goes on if it is gone. */
  function read(row: AgentHostRow): Host {
    const kind = kinds.of({ key: row.id })
    const host = fromRow(row, clock, kind.nothingKept)
    const said = saidOf(host, row)
    if (said) {
      const { kept, cut, bytes, clockAheadMinutes, facts, wasOnline, isNewest } = said
      Object.assign(host, { kept, cut, bytes, clockAheadMinutes })
      // the row may be some minutes older
      if (isNewest) Object.assign(host, { wasOnline, facts: { ...host.facts, ...facts } })
    }
    const { lastSeen = -Infinity } = state.tables.sources.get(host.key) ?? {}
    host.lastSeenAt = Math.max(host.lastSeenAt ?? -Infinity, lastSeen)
    if (host.lastSeenAt === -Infinity) host.lastSeenAt = undefined
    return host
  }

  function saveSoon(host: Host) {
    touched.remove(host)
    urgent.put([host], host)
    savingSoon?.now()
  }

  function unqueue(host: Host) {
    touched.remove(host)
    urgent.remove(host)
  }

  function removalOf(hostId: string): AgentRemovalRow | undefined {
    const removal = removals.get(hostId)
    if (removal && clock.monotonic() >= removal.endsAt) removals.delete(hostId)
    return removals.get(hostId)?.row
  }

  return {
    all: () => [...hosts.values()],
    byId: (hostId) => hosts.get(hostId),
    newKey: (kind) => `${kind}-${randomBytes(8).toString('hex')}`,
    async add(host) {
      await store.put(toRow(host))
      hosts.set(host.id, host)
    },
    async save(host) {
      unqueue(host)
      if (hosts.get(host.id) !== host) return
      try {
        await store.put(toRow(host))
      } catch (error) {
        // not at once: the caller takes back what it wanted to store
        urgent.put([host], host)
        throw error
      }
    },
    saveSoon,
    touch: (host) => touched.put([host], host),
    show,
    async remove(host) {
      if (hosts.get(host.id) !== host) return
      const now = clock.now()
      const row = {
        host_id: host.id,
        name: host.facts.displayName,
        removed_at: now,
        blocked_until: now + blockMs,
      }
      // Deletes it first, so that a late report does not restore it.
      hosts.delete(host.id)
      unqueue(host)
      removals.set(host.id, { row, endsAt: clock.monotonic() + blockMs })
      try {
        await store.remove(row)
      } catch (error) {
        hosts.set(host.id, host)
        removals.delete(host.id)
        urgent.put([host], host)
        throw error
      }
      state.forget(host.key)
    },
    removal: removalOf,
    removals: () => [...removals.keys()].flatMap((hostId) => removalOf(hostId) ?? []),
    async allow(hostId) {
      if (!removalOf(hostId)) return false
      await store.allow(hostId)
      removals.delete(hostId)
      return true
    },
    runExclusive: mutex,
    reload,
    async start() {
      startedAt = clock.monotonic()
      for (const row of await store.removals()) {
        const leftMs = Math.min(blockMs, row.blocked_until - clock.now())
        if (leftMs > 0) removals.set(row.host_id, { row, endsAt: clock.monotonic() + leftMs })
      }
      await reload()
      const storing = (run: () => Promise<void>) =>
        createTicker({
          clock,
          intervalMs: saveIntervalMs,
          run,
          onError: (err) => log.error({ err }, notStored),
        })
      saving = storing(touched.flush)
      savingSoon = storing(urgent.flush)
    },
    async stop() {
      saving?.stop()
      savingSoon?.stop()
      savingSoon = undefined
      for (const one of [urgent, touched]) {
        await one.flush()
        one.stop()
      }
    },
  }
}
