import type { Counts, CountsByRow } from '../../parts/node-summary/rows.ts'
import type { LiveReader } from '../../live/store.ts'
import type { ListSource } from '../../parts/list/list-selector.ts'
import { type BackupKind, type BackupRow, describePbs, describePmg, describePve } from './backup-row.ts'
import { createGuestNames, type GuestNames, numbersMoved } from './guest-names.ts'
import { createListedPlaces, type ListedPlaces } from './listed-places.ts'

/** All backups in one form, whatever they come from. A record is looked at once, and again when it changed. */
export interface BackupIndex extends ListSource<BackupRow> {
  /** how many there are by line of the node table */
  counts: CountsByRow
  /** some are of hosts */
  hasHosts: boolean
  /** some know who owns them */
  hasOwners: boolean
}

export interface BackupIndexer {
  (live: LiveReader): BackupIndex
  /** Looks at so many of those that were never looked at, so that the first reading takes no long breath. */
  warm(live: LiveReader, count: number): 'done' | 'more'
}

export const backupKinds = ['pveBackups', 'pbsBackups', 'pmgBackups'] as const
/** Guests give backups their names. */
export const indexKinds = [...backupKinds, 'guests'] as const

const loggedVersions = 4

/** For as long as the page is open: fifty thousand backups are not kept for nobody. */
export function createBackupIndex(describe: typeof describeRecord = describeRecord): BackupIndexer {
  const namesOf = createGuestNames()
  const listed = createListedPlaces()
  const records = new Map<string, BackupRow>()
  const seen = new Map<BackupKind, number>()
  const idsOf = new Map<BackupKind, Set<string>>(backupKinds.map((kind) => [kind, new Set()]))
  const perPlace = new Map<string, number>()
  let log: { version: number; ids: readonly string[] }[] = []
  let names: GuestNames | undefined
  let hosts = 0
  let owners = 0
  let index: BackupIndex | undefined
  let firsts: { ids: Iterator<string>; act: (id: string) => void; cost: number }[] | undefined

  function count(row: BackupRow, by: 1 | -1) {
    if (row.type === 'Host') hosts += by
    if (row.owner) owners += by
    if (row.place) perPlace.set(row.place, (perPlace.get(row.place) ?? 0) + by)
  }

  function look(live: LiveReader, kind: BackupKind, id: string) {
    const before = records.get(id)
    const row = describe(live, kind, id, names!, listed)
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

  const note = (live: LiveReader, id: string) => listed.note(id, live.records('pbsBackups').get(id))

  function ofNumbers(kind: BackupKind, numbers: ReadonlySet<unknown>): string[] {
    return [...idsOf.get(kind)!].filter((id) => numbers.has(records.get(id)!.vmid))
  }

  function warm(live: LiveReader, count: number): 'done' | 'more' {
    names ??= namesOf(live)
    firsts ??= [
      { ids: live.records('pbsBackups').keys(), act: (id) => note(live, id), cost: 0.1 },
      ...backupKinds.map((kind) => {
        // what changes from now on is looked at again
        seen.set(kind, live.version(kind))
        return { ids: live.records(kind).keys(), act: (id: string) => look(live, kind, id), cost: 1 }
      }),
    ]
    for (const { ids, act, cost } of firsts) {
      for (let next = ids.next(); !next.done; next = ids.next()) {
        act(next.value)
        count -= cost
        if (count <= 0) return 'more'
      }
      // Nothing was looked at by what was known of places before.
      if (records.size === 0) listed.takeMoved()
    }
    return 'done'
  }

  function changedOf(live: LiveReader, kind: BackupKind): Iterable<string> {
    const version = live.version(kind)
    const before = seen.get(kind)
    if (before === version) return []
    seen.set(kind, version)
    const changed = before === undefined ? undefined : live.changedSince(kind, before)
    return changed ?? new Set([...idsOf.get(kind)!, ...live.records(kind).keys()])
  }

  function read(live: LiveReader): BackupIndex {
    const next = namesOf(live)
    const renamed = numbersMoved(names ?? next, next)
    names = next
    const isFirst = records.size === 0
    const due = backupKinds.map((kind) => [kind, changedOf(live, kind)] as const)
    for (const [kind, ids] of due) if (kind === 'pbsBackups') for (const id of ids) note(live, id)
    const placed = [...listed.takeMoved()].map(Number)
    const moved = isFirst ? none : new Set([...renamed, ...placed])
    const changed: string[] = []
    for (const [kind, ids] of due) {
      for (const id of moved.size === 0 ? ids : new Set([...ids, ...ofNumbers(kind, moved)])) {
        look(live, kind, id)
        changed.push(id)
      }
    }
    if (index && changed.length === 0) return index
    const version = (index?.version ?? 0) + 1
    log = [...log, { version, ids: changed }].slice(-loggedVersions)
    return (index = {
      records,
      version,
      changedSince: (since) => {
        if (since === version) return []
        if (log[0]!.version > since + 1) return undefined
        return log.filter((one) => one.version > since).flatMap(({ ids }) => ids)
      },
      counts: new Map([...perPlace].map(([place, backups]): [string, Counts] => [place, { backups }])),
      hasHosts: hosts > 0,
      hasOwners: owners > 0,
    })
  }

  return Object.assign(read, { warm })
}

const none: ReadonlySet<number> = new Set()

function describeRecord(
  live: LiveReader,
  kind: BackupKind,
  id: string,
  names: GuestNames,
  listed: ListedPlaces,
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
