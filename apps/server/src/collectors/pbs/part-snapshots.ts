import type { PbsBackup } from '@pulse/contract'
import { backoffMs, hostBackoff } from '../../timing/backoff.ts'
import { yieldToEventLoop } from '../../timing/yield.ts'
import type { HostContext, HostPart } from '../proxmox/host-part.ts'
import { readList } from '../proxmox/schema.ts'
import { SourceError, toSourceError } from '../source-error.ts'
import type { PbsCache } from './cache.ts'
import { RIGHT } from './datastores.ts'
import { createSnapshotReader, weightOf } from './read-snapshot.ts'
import { PbsNamespace } from './schema.ts'
import type { BackupSpace } from './snapshots.ts'

/** The server reads one file per backup for a list. A finished task makes its datastore due at once. */
const leastIntervalMs = 300_000
/** Interval of checks for due namespaces. Without one, no query is sent. */
const tickMs = 30_000
/** Interval of checks whether backups are wanted. */
const idleMs = 5_000
const MB = 1024 * 1024
/** For a large namespace the server needs many seconds before the first byte. */
const limits = { waitMs: 30_000, headersMs: 120_000, totalMs: 300_000, maxBytes: 512 * MB }
/** The first pause after a failure. It grows up to the normal interval. */
const firstPauseMs = 60_000
/** Unlisted namespaces queried in one round. */
const mostUnlisted = 8
/** Refused namespaces queried every minute. */
const mostProbes = 3
/** A server may have many namespaces, which are read one after the other. */
const wholeMs = 3_600_000

const entryOf = ({ store, path }: Pick<BackupSpace, 'store' | 'path'>) =>
  `namespace ${path === '' ? `${store} (root)` : `${store}/${path}`}`
const listOf = (store: string) => `namespaces of ${store}`
const isEntry = (what: string) => what.startsWith('namespace ')

/** The backups, one namespace at a time, read as they arrive. */
export const snapshots: HostPart<PbsCache> = {
  name: 'snapshots',
  flags: ['monitorDatastores'],
  calls: { perMinute: 15 },
  kinds: ['pbsBackups'],
  start(context) {
    const { cache, clock, pace, health } = context
    const known = cache.snapshots
    const intervalMs = () => Math.max(leastIntervalMs, pace().backupsMs ?? 0)
    const isWanted = () => pace().backupsMs !== undefined
    const look = lookInto(context, intervalMs)
    const listedAt = new Map<string, number>()
    let name = context.name()

    /** Lists the namespaces. An unlisted one was removed or is hidden now. A query shows which. */
    async function list(store: string, signal: AbortSignal) {
      if (clock.monotonic() < (listedAt.get(store) ?? -Infinity) + intervalMs()) return
      const paths = await namespacesOf(context, store, signal)
      const unlisted = known.list(store, paths)
      listedAt.set(store, clock.monotonic())
      for (const space of unlisted.slice(0, mostUnlisted)) {
        const error = await look(space, signal)
        if (error?.code === 'server' || error?.code === 'not_found') known.drop(space)
      }
      const shown = new Set(known.of(store).map(({ path }) => path))
      const count = paths.filter((path) => shown.has(path)).length
      if (count < paths.length)
        throw new SourceError(
          'too_large',
          `${count} of ${paths.length} namespaces are shown, which is the limit`,
        )
    }

    async function tryTo(act: typeof list, store: string, signal: AbortSignal) {
      try {
        await act(store, signal)
        health.answered(listOf(store))
      } catch (cause) {
        if (signal.aborted) return
        if (isOfHost(toSourceError(cause))) throw cause
        const error = toSourceError(cause)
        // Not again at every tick.
        if (error.code !== 'too_large')
          listedAt.set(store, clock.monotonic() - intervalMs() + backoffMs(hostBackoff, 3))
        const isReported =
          error.code === 'forbidden' && cache.datastores.troubleOf(store)?.status === 'denied'
        if (!isReported) health.failed(listOf(store), error, RIGHT)
      }
    }

    function forgetRemoved() {
      const stores = cache.datastores.names()
      const there = new Set([...stores.map(listOf), ...known.all().map(entryOf)])
      health.forgetAll((what) => (isEntry(what) || what.startsWith(listOf(''))) && !there.has(what))
      for (const store of listedAt.keys()) if (!stores.includes(store)) listedAt.delete(store)
    }

    async function show() {
      for (const _ of known.reveal()) {
        await context.publish()
        await yieldToEventLoop()
      }
    }

    return {
      loops: [
        {
          name: 'backups',
          intervalMs: () => tickMs,
          deadlineMs: () => wholeMs,
          hold: () => (isWanted() ? 0 : idleMs),
          async run(signal) {
            known.keepOnly(cache.datastores.names())
            // Records include the connection's name, so a new name makes all due.
            if (name !== context.name()) known.due()
            name = context.name()
            const stores = cache.datastores.browsable()
            for (const store of stores) await tryTo(list, store, signal)
            for (const space of known.dueAt(clock.monotonic())) {
              if (signal.aborted) return
              if (!stores.includes(space.store)) continue
              await look(space, signal)
              await show()
            }
            forgetRemoved()
            await show()
          },
        },
      ],
      records: () => ({ pbsBackups: isWanted() ? known.records : none }),
      stop() {
        health.forgetAll((what) => isEntry(what) || what.startsWith(listOf('')))
        known.clear()
      },
    }
  },
}

const none = new Map<string, PbsBackup>()

/** The next question to this host would fail too. */
const isOfHost = ({ isPathFault, code }: SourceError) => isPathFault || code === 'unauthorized'

/** Old servers have no namespaces: everything is in the root. */
async function namespacesOf(
  { get, turn }: HostContext<PbsCache>,
  store: string,
  signal: AbortSignal,
): Promise<string[]> {
  const path = `/admin/datastore/${store}/namespace`
  await turn(signal)
  try {
    const rows = readList(PbsNamespace, await get(path, signal), path)
    const paths = new Set(rows.map(({ ns }) => ns))
    return paths.size === 0 ? [''] : [...paths]
  } catch (cause) {
    const { code } = toSourceError(cause)
    if (code === 'not_found' || code === 'unsupported') return ['']
    throw cause
  }
}

function lookInto(context: HostContext<PbsCache>, intervalMs: () => number) {
  const { cache, clock, get, turn, health } = context
  const known = cache.snapshots
  const reader = createSnapshotReader()
  /** A few refused namespaces are queried often. Their success shows that the right was granted. */
  const isProbe = (space: BackupSpace) => known.denied().slice(0, mostProbes).includes(space)
  return async (space: BackupSpace, signal: AbortSignal): Promise<SourceError | undefined> => {
    const { store, path } = space
    const room = known.roomBeside(space)
    let text = 0
    const found = new Map<string, PbsBackup>()
    const origin = { source: context.source, instance: context.name(), store, path, now: context.now() }
    const each = (entry: unknown) => {
      const one = reader.read(entry, origin, (key) => space.read?.get(key))
      if (!one) return
      text += weightOf(one.record)
      if (found.size >= room.backups || text > room.text)
        throw new SourceError('too_large', `${store}: it holds more backups than Pulse can show`)
      found.set(one.key, one.record)
    }
    try {
      await turn(signal)
      const query = path === '' ? '' : `?ns=${encodeURIComponent(path)}`
      await get(`/admin/datastore/${store}/snapshots${query}`, signal, { limits, each })
      known.took(space, found, text, clock.monotonic(), clock.monotonic() + intervalMs())
      health.answered(entryOf(space))
      return undefined
    } catch (cause) {
      const error = toSourceError(cause)
      if (signal.aborted) return error
      if (isOfHost(error)) throw error
      known.missed(space, error)
      const longestMs = intervalMs()
      const pauseMs = error.isRefusal
        ? longestMs
        : backoffMs({ firstMs: firstPauseMs, longestMs }, space.failures)
      space.dueAt = clock.monotonic() + (isProbe(space) ? firstPauseMs : pauseMs)
      health.failed(entryOf(space), error, RIGHT)
      return error
    }
  }
}
