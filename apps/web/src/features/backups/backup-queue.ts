import type { LiveReader } from '../../live/store.ts'
import type { BackupKind } from '../../parts/backups/backup-row.ts'
import { createGuestNames, type GuestNames, numbersMoved } from '../../parts/backups/guest-names.ts'
import { createListedLocations, type ListedLocations } from '../../parts/backups/listed-locations.ts'

type Look = (kind: BackupKind, id: string, names: GuestNames, listed: ListedLocations) => void

interface Described {
  ids: (kind: BackupKind) => Iterable<string>
  ofNumber: (number: unknown) => Iterable<[id: string, kind: BackupKind]>
}

/** Backups to describe: new, changed, deleted, or with a changed guest or location. */
export interface BackupQueue {
  /** Adds all changes since the last call. */
  collect(live: LiveReader): void
  size(): number
  /** Looks at up to `count` due backups. */
  take(live: LiveReader, count: number, look: Look): 'done' | 'more'
}

/** Noting a change costs a tenth of describing the record. */
const NOTE_COST = 0.1

export function createBackupQueue(kinds: readonly BackupKind[], described: Described): BackupQueue {
  const namesOf = createGuestNames()
  const listed = createListedLocations()
  const seen = new Map<BackupKind, number>()
  const due = new Map<BackupKind, Set<string>>(kinds.map((kind) => [kind, new Set()]))
  /** The locations of all backups decide about each one's owner, so all are noted before any is described. */
  const unnoted = new Set<string>()
  let names: GuestNames | undefined

  function addOfNumbers(numbers: ReadonlySet<unknown>) {
    for (const number of numbers) for (const [id, kind] of described.ofNumber(number)) due.get(kind)!.add(id)
  }

  function addChanged(live: LiveReader, kind: BackupKind) {
    const version = live.version(kind)
    const before = seen.get(kind)
    if (before === version) return
    seen.set(kind, version)
    const changed = before === undefined ? undefined : live.changedSince(kind, before)
    for (const ids of changed ? [changed] : [described.ids(kind), live.records(kind).keys()]) {
      for (const id of ids) {
        due.get(kind)!.add(id)
        if (kind === 'pbsBackups') unnoted.add(id)
      }
    }
  }

  return {
    collect(live) {
      const next = namesOf(live)
      const renamed = numbersMoved(names ?? next, next)
      names = next
      for (const kind of kinds) addChanged(live, kind)
      addOfNumbers(renamed)
    },

    size: () => [...due.values()].reduce((sum, ids) => sum + ids.size, 0),

    take(live, count, look) {
      for (const id of unnoted) {
        if (count <= 0) return 'more'
        unnoted.delete(id)
        listed.note(id, live.records('pbsBackups').get(id))
        count -= NOTE_COST
      }
      addOfNumbers(new Set([...listed.takeMoved()].map(Number)))
      for (const [kind, ids] of due) {
        for (const id of ids) {
          if (count <= 0) return 'more'
          ids.delete(id)
          look(kind, id, names!, listed)
          count--
        }
      }
      return 'done'
    },
  }
}
