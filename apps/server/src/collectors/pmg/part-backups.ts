import type { PmgBackup } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import type { HostPart } from '../proxmox/host-part.ts'
import { readList } from '../proxmox/schema.ts'
import { toSourceError } from '../source-error.ts'
import { type PmgCache, reachable } from './cache.ts'
import { PmgBackupFile } from './schema.ts'

const leastIntervalMs = 300_000
const mostFiles = 1_000
/** Interval of checks whether backups are wanted. */
const idleMs = 5_000

const entryOf = (node: string) => `backups of ${node}`
const isEntry = (what: string) => what.startsWith(entryOf(''))

/** The configuration backups on each node. A node that cannot be queried keeps its earlier list. */
export const backups: HostPart<PmgCache> = {
  name: 'backups',
  calls: { each: { perMinute: 0.2 } },
  kinds: ['pmgBackups'],
  start({ cache, clock, get, turn, pace, publish, health, source, name }) {
    let published: ReadonlyMap<string, PmgBackup> = new Map()
    /** The last query of each node. After a run that ended early, the next one continues there. */
    const askedAt = new Map<string, number>()
    const isWanted = () => pace().backupsMs !== undefined

    async function lookAt(node: string, signal: AbortSignal) {
      const path = `/nodes/${node}/backup`
      const files = readList(PmgBackupFile, await get(path, signal), path).slice(0, mostFiles)
      const records = files.flatMap((file) => toBackup(file, node, source, name()))
      cache.backups.set(node, new Map(records.map((one) => [`${source}:${node}:${one.filename}`, one])))
    }

    function merged(): ReadonlyMap<string, PmgBackup> {
      const all = new Map([...cache.backups.values()].flatMap((records) => [...records]))
      for (const [key, record] of all) {
        const known = published.get(key)
        if (known && isEqual(known, record)) all.set(key, known)
      }
      const isSame = all.size === published.size && [...all].every(([key, one]) => published.get(key) === one)
      return isSame ? published : all
    }

    return {
      loops: [
        {
          name: 'gateway backups',
          intervalMs: () => Math.max(leastIntervalMs, pace().backupsMs ?? 0),
          hold: () => (isWanted() && cache.members ? 0 : idleMs),
          right: 'Auditor',
          async run(signal, deadline) {
            const nodes = reachable(cache)
            const lastAsked = (node: string) => askedAt.get(node) ?? -Infinity
            for (const node of nodes.toSorted((a, b) => lastAsked(a) - lastAsked(b) || 0)) {
              await turn(signal, deadline)
              if (signal.aborted) return
              askedAt.set(node, clock.monotonic())
              try {
                await lookAt(node, signal)
                health.answered(entryOf(node))
                published = merged()
                void publish()
              } catch (cause) {
                if (signal.aborted) return
                const error = toSourceError(cause)
                // The cluster reports an offline member once.
                if (error.code !== 'node_offline') health.failed(entryOf(node), error, 'Auditor')
              }
            }
            const listed = new Set(cache.members?.rows.map((row) => row.name))
            for (const node of cache.backups.keys()) if (!listed.has(node)) cache.backups.delete(node)
            for (const node of askedAt.keys()) if (!listed.has(node)) askedAt.delete(node)
            health.forgetAll((what) => isEntry(what) && !nodes.some((node) => what === entryOf(node)))
            published = merged()
          },
        },
      ],
      records: () => ({ pmgBackups: isWanted() ? published : none }),
      stop() {
        cache.backups.clear()
        health.forgetAll(isEntry)
      },
    }
  },
}

const none: ReadonlyMap<string, PmgBackup> = new Map()

function toBackup(
  { filename, size, timestamp }: PmgBackupFile,
  node: string,
  source: string,
  instance: string,
) {
  if (!(timestamp > 0 && timestamp < 1e11)) return []
  return [
    {
      id: `pmg-${instance}-${node}-${timestamp}`,
      instance,
      node,
      filename,
      backupTime: new Date(timestamp * 1000).toISOString(),
      size: size ?? 0,
      source,
    },
  ]
}
