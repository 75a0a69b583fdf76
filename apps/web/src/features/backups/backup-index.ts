import { isEqual } from '@pulse/domain'
import type { Counts, CountsByRow } from '../../parts/node-summary/rows.ts'
import type { LiveReader } from '../../live/store.ts'
import type { ListSource } from '../../parts/list/list-selector.ts'
import { createBackupQueue } from './backup-queue.ts'
import {
  type BackupKind,
  type BackupRow,
  describePbs,
  describePmg,
  describePve,
} from '../../parts/backups/backup-row.ts'
import type { GuestNames } from '../../parts/backups/guest-names.ts'
import type { ListedLocations } from '../../parts/backups/listed-locations.ts'
import { createSignal } from '../../lib/signal.ts'

/** All backups in one form, from any source. A record is described once, and again after each change. */
export interface BackupIndex extends ListSource<BackupRow> {
  /** number of backups by row of the node table */
  counts: CountsByRow
  /** some backups are of hosts */
  hasHosts: boolean
  /** some backups have an owner */
  hasOwners: boolean
}

export interface BackupIndexer {
  /**
   * Describes changes. If more than `recordsPerStep` are due, returns the old index and leaves them to
   * `step`.
   */
  (live: LiveReader): BackupIndex
  /** Describes up to `count` due records; the caller yields to the event loop between steps. */
  step(live: LiveReader, count: number): 'done' | 'more'
  /** Notifies once steps have replaced the index, which is long after the store's own notification. */
  subscribe(listener: () => void): () => void
  /** Counts the indexes that steps have completed. */
  rounds(): number
}

export const backupKinds = ['pveBackups', 'pbsBackups', 'pmgBackups'] as const
/** Guests provide the names of backups. */
export const indexKinds = [...backupKinds, 'guests'] as const

/** A reconnect resends all records; describing 50,000 of them takes a second. */
export const recordsPerStep = 2_000
const loggedVersions = 4

/** Lives as long as the page is open, so that a closed page keeps no 50,000 backups in memory. */
export function createBackupIndex(
  describe: typeof describeRecord = describeRecord,
  limit = recordsPerStep,
): BackupIndexer {
  const records = new Map<string, BackupRow>()
  const idsOf = new Map<BackupKind, Set<string>>(backupKinds.map((kind) => [kind, new Set()]))
  /** described, but not yet in the index; an undefined row: deleted */
  const staged = new Map<string, { kind: BackupKind; row: BackupRow | undefined }>()
  /** as last described, whether or not in the index */
  const numbered = createNumbered()
  const queue = createBackupQueue(backupKinds, {
    ids: (kind) => idsOf.get(kind)!,
    ofNumber: numbered.of,
  })
  const perHost = new Map<string, number>()
  const changed = createSignal()
  let log: { version: number; ids: readonly string[] }[] = []
  let hosts = 0
  let owners = 0
  let index: BackupIndex | undefined
  let isStepping = false
  let rounds = 0

  function count(row: BackupRow, by: 1 | -1) {
    if (row.type === 'Host') hosts += by
    if (row.owner) owners += by
    if (row.hostKey) perHost.set(row.hostKey, (perHost.get(row.hostKey) ?? 0) + by)
  }

  const lookIn =
    (live: LiveReader) => (kind: BackupKind, id: string, names: GuestNames, listed: ListedLocations) => {
      const row = describe(live, kind, id, names, listed)
      const known = staged.has(id) ? staged.get(id)!.row : records.get(id)
      if (known && known.vmid !== row?.vmid) numbered.remove(known.vmid, id)
      if (row && known?.vmid !== row.vmid) numbered.add(row.vmid, id, kind)
      // after a reconnect most records are unchanged and need no update of the list
      if (isEqual(records.get(id), row)) staged.delete(id)
      else staged.set(id, { kind, row })
    }

  /** Moves all staged rows into the index at once. */
  function commit(): BackupIndex {
    isStepping = false
    if (index && staged.size === 0) return index
    for (const [id, { kind, row }] of staged) {
      const before = records.get(id)
      if (before) count(before, -1)
      if (row) {
        count(row, 1)
        records.set(id, row)
        idsOf.get(kind)!.add(id)
      } else {
        records.delete(id)
        idsOf.get(kind)!.delete(id)
      }
    }
    const version = (index?.version ?? 0) + 1
    log = [...log, { version, ids: [...staged.keys()] }].slice(-loggedVersions)
    staged.clear()
    return (index = {
      records,
      version,
      changedSince: (since) => {
        if (since === version) return []
        if (log[0]!.version > since + 1) return undefined
        return log.filter((one) => one.version > since).flatMap(({ ids }) => ids)
      },
      counts: new Map([...perHost].map(([hostKey, backups]): [string, Counts] => [hostKey, { backups }])),
      hasHosts: hosts > 0,
      hasOwners: owners > 0,
    })
  }

  function read(live: LiveReader): BackupIndex {
    queue.collect(live)
    if (index && (isStepping || queue.size() > limit)) {
      isStepping = true
      return index
    }
    queue.take(live, Infinity, lookIn(live))
    return commit()
  }

  function step(live: LiveReader, count: number): 'done' | 'more' {
    queue.collect(live)
    if (queue.take(live, count, lookIn(live)) === 'more') {
      isStepping = true
      return 'more'
    }
    const before = index
    if (commit() !== before) {
      rounds++
      changed.emit()
    }
    return 'done'
  }

  return Object.assign(read, {
    step,
    rounds: () => rounds,
    subscribe: changed.subscribe,
  })
}

export function describeRecord(
  live: LiveReader,
  kind: BackupKind,
  id: string,
  names: GuestNames,
  listed: ListedLocations,
): BackupRow | undefined {
  if (kind === 'pveBackups') {
    const backup = live.records(kind).get(id)
    return backup && describePve(backup, names)
  }
  if (kind === 'pbsBackups') {
    const backup = live.records(kind).get(id)
    return backup && describePbs(backup, names, listed)
  }
  const backup = live.records(kind).get(id)
  return backup && describePmg(backup)
}

/** Backups by guest number, so that a guest that migrates affects only its own few backups. */
interface Numbered {
  add(number: unknown, id: string, kind: BackupKind): void
  remove(number: unknown, id: string): void
  of(number: unknown): Iterable<[id: string, kind: BackupKind]>
}

function createNumbered(): Numbered {
  const byNumber = new Map<unknown, Map<string, BackupKind>>()
  return {
    add(number, id, kind) {
      const ids = byNumber.get(number)
      if (ids) ids.set(id, kind)
      else byNumber.set(number, new Map([[id, kind]]))
    },
    remove(number, id) {
      const ids = byNumber.get(number)
      if (ids?.delete(id) && ids.size === 0) byNumber.delete(number)
    },
    of: (number) => byNumber.get(number) ?? [],
  }
}
