import { wallOffset } from '@pulse/domain'
import { runYielding } from '../../timing/yield.ts'
import { backupsEvery } from '../source.ts'
import { toSourceError } from '../source-error.ts'
import { freshMs } from './age.ts'
import { isBeingWritten, toStorageBackup } from './backup-records.ts'
import { BackupTargets, nameOf, type Target } from './backup-targets.ts'
import { usualLimits, type Limits } from '../proxmox/call.ts'
import { SOON_MS } from '../../polling/publisher.ts'
import type { ClusterContext } from './context.ts'
import type { AskNode, NodeRun, Part, WatchedNode } from './part.ts'
import { readInSteps } from './schema.ts'
import { PveBackupVolume } from './schema-backups.ts'

/** Thousands of backups, about 300 bytes each. A backup server needs seconds to find them. */
const limits: Limits = { ...usualLimits, headersMs: 60_000, totalMs: 65_000, maxBytes: 24 * 1024 * 1024 }
const NAME = 'storage backups'
const minute = 60_000
/** Each list is read from a directory or a backup server, at most this often unless a run has ended. */
const intervalMs = 5 * minute
/** After a run the file was just renamed or the index just written, so the list waits briefly. */
const afterRunMs = 5_000
const share = 0.2
/** Between two publications of thousands of new records. */
const moreMs = 250

/** The backups on the cluster's storages. A shared one is read through one node, others through each. */
export const storageBackups: Part = {
  name: NAME,
  flags: ['monitorBackups'],
  isWanted: ({ backupsMs }) => backupsMs !== undefined,
  calls: { node: share },
  callsUnlisted: { node: 0.1 },
  kinds: ['pveBackups'],
  rights: [
    {
      path: '/storage',
      rights: ['Datastore.Allocate', 'Datastore.AllocateSpace'],
      called: 'Datastore.Allocate',
      dark: 'backup files will not be listed',
      hides: NAME,
    },
  ],
  start(context) {
    const { backups, nodes, visibility, publish } = context
    const targets = new BackupTargets()
    const isOnline = (node: string) => nodes.get(node)?.online
    return {
      node: (node, ask) => watch(context, targets, node, ask),
      listed(listing) {
        for (const target of targets.list(listing.storages, isOnline, (name) => visibility.isMissing(name))) {
          backups.drop((name) => name === nameOf(target))
          context.health.forget(questionOf(target))
        }
      },
      records(context, now) {
        for (const target of targets.all())
          if (visibility.isHidden(target.storage)) backups.fail(nameOf(target))
        const pveBackups = backups.records(context, now)
        if (backups.hasMore) publish(moreMs)
        return { pveBackups }
      },
      stop() {
        for (const target of targets.all()) context.health.forget(questionOf(target))
        targets.clear()
        backups.drop((name) => name.startsWith('storage '))
      },
    }
  },
}

const questionOf = (target: Target) => `backups of ${nameOf(target)}`

function watch(
  context: ClusterContext,
  targets: BackupTargets,
  { name }: WatchedNode,
  ask: AskNode,
): NodeRun {
  const { backups, runs, guests, clock } = context
  const shares = context.budget.node(name)
  const offset = wallOffset(clock)
  const periodMs = () => backupsEvery(intervalMs, context.pace())
  const nodeOf = (vmid: number) => guests.get(vmid)?.node

  function dueAt({ node, triedAt, readAt }: Target): number {
    const endedAt = runs.endedAt(node)
    const isChanged = endedAt > readAt && readAt > -Infinity
    return Math.min(
      triedAt + periodMs(),
      isChanged ? Math.max(endedAt + afterRunMs, triedAt + minute) : Infinity,
    )
  }

  const next = () => targets.next(name, dueAt)

  async function read(target: Target, signal: AbortSignal): Promise<number> {
    const { storage, type, node } = target
    const path = `/storage/${encodeURIComponent(storage)}/content?content=backup`
    const { data, at } = await ask(path, signal, limits)
    const listed = { storage, type, node: name, shared: node === undefined }
    const running = runs.running()
    const volumes = await runYielding(readInSteps(PveBackupVolume, data, `/nodes/${name}${path}`))
    const finished = volumes.filter((volume) => !isBeingWritten(volume, type, running, guests))
    function* records() {
      for (const volume of finished)
        yield toStorageBackup(volume, listed, nodeOf, backups.owner, at + offset())
    }
    await runYielding(backups.learning(nameOf(target), records(), at, freshForMs(), node))
    // The storage may have been removed during the read.
    if (!targets.has(target)) backups.drop((list) => list === nameOf(target))
    target.readAt = at
    target.avoid.clear()
    return at
  }

  /** Includes the time for the other lists of the node. */
  const freshForMs = () => Math.max(periodMs(), (targets.count(name) * minute) / share) + freshMs.late

  return {
    loops: [
      {
        name: NAME,
        intervalMs: 1_000,
        firstAfterMs: 2_000,
        deadlineMs: limits.totalMs + 5_000,
        hold: () => Math.min(minute, Math.max(0, (next()?.at ?? Infinity) - clock.monotonic())),
        pay: () => shares.takeOrFirst(NAME, next()?.target.triedAt === -Infinity),
        async run(signal) {
          const target = next()?.target
          if (!target) return
          target.triedAt = clock.monotonic()
          try {
            context.health.answered(questionOf(target), await read(target, signal))
          } catch (cause) {
            target.avoid.add(name)
            backups.fail(nameOf(target))
            context.failed(questionOf(target), cause)
            if (toSourceError(cause).isPathFault) throw cause
          }
          context.publish(SOON_MS)
        },
        failed: () => minute,
      },
    ],
  }
}
