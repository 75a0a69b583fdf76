import { backedUpOn, daySeconds, failedOn } from '../protection/backups.ts'
import type { Backup, BackedUp } from '../protection/backups.ts'
import type { Source } from '../protection/targets.ts'
import type { Guest, Storage } from '../estate/estate.ts'
import { fraction, mix } from '../random.ts'
import type { Failure, Group } from './vault.ts'

const gib = 1024 ** 3
const perSiteGroup = 20

/** The groups of all clusters: guests with the same number share a group. */
export function* guestGroups(sources: readonly Source[], nowMs: number): Generator<Group> {
  if (sources.length === 1) return yield* groupsOf(sources[0]!, nowMs)
  const byName = new Map<string, Group>()
  for (const source of sources) {
    for (const group of groupsOf(source, nowMs)) {
      const name = `${group.type}/${group.id}`
      const known = byName.get(name)
      byName.set(name, known ? { ...known, snapshots: newestFirst(known, group) } : group)
    }
  }
  yield* byName.values()
}

function* groupsOf({ cluster, storage }: Source, nowMs: number): Generator<Group> {
  const owner = ownerOf(storage)
  for (const backedUp of backedUpOn(storage, cluster.guests.values(), nowMs)) yield toGroup(backedUp, owner)
}

const toGroup = ({ subject, backups }: BackedUp, owner: string): Group => ({
  type: typeOf(subject),
  id: String(subject.vmid),
  owner,
  seed: subject.seed,
  snapshots: backups.map((backup) => ({ backup, comment: subject.name })),
})

const typeOf = ({ kind }: Pick<Guest, 'kind'>) => (kind === 'qemu' ? 'vm' : 'ct')

/** Only the nightly job fails. */
export function* guestFailures(sources: readonly Source[], nowMs: number): Generator<Failure> {
  for (const { cluster, storage } of sources) {
    if (storage.name !== 'pbs-main') continue
    const owner = ownerOf(storage)
    for (const { guest, atSeconds } of failedOn(storage, cluster.guests.values(), nowMs)) {
      yield { type: typeOf(guest), id: String(guest.vmid), owner, atSeconds }
    }
  }
}

const ownerOf = ({ config }: Storage): string => config.username ?? 'root@pam'

const newestFirst = (left: Group, right: Group): Group['snapshots'] =>
  [...left.snapshots, ...right.snapshots].sort((one, other) => other.backup.atSeconds - one.backup.atSeconds)

/** Backups that a sync job has copied: neither the newest nor unfinished ones. */
export function* copiedGroups(groups: Iterable<Group>, nowMs: number): Generator<Group> {
  const until = nowMs / 1000 - daySeconds / 2
  for (const group of groups) {
    const snapshots = group.snapshots.filter(({ backup }) => backup.atSeconds < until)
    if (snapshots.length > 0) yield { ...group, owner: 'sync@pbs', snapshots }
  }
}

/** Machines that back themselves up once a week. */
export function* hostGroups(seed: number, names: readonly string[], nowMs: number): Generator<Group> {
  for (const [index, name] of names.entries()) {
    const newest = lastAt(7, mix(seed, index) % daySeconds, nowMs)
    const snapshots = [0, 1, 2, 3].map((age) => ({
      backup: plainBackup(mix(seed, index), newest - age * 7 * daySeconds, 12 * gib, nowMs),
      comment: undefined,
    }))
    yield { type: 'host', id: name, owner: `${name}@pbs`, seed: mix(seed, index), snapshots }
  }
}

export function* siteGroups(site: string, count: number, seed: number, nowMs: number): Generator<Group> {
  for (let made = 0, index = 0; made < count; made += perSiteGroup, index++) {
    const groupSeed = mix(seed, index)
    const newest = lastAt(1, groupSeed % daySeconds, nowMs)
    const type = index % 3 === 2 ? 'ct' : 'vm'
    const id = String(100 + index)
    yield {
      type,
      id,
      owner: `${site}@pbs!push`,
      seed: groupSeed,
      snapshots: Array.from({ length: Math.min(perSiteGroup, count - made) }, (_, age) => ({
        backup: plainBackup(groupSeed, newest - age * daySeconds, (8 + (groupSeed % 120)) * gib, nowMs),
        comment: `${site}-${type}${id}`,
      })),
    }
  }
}

function lastAt(everyDays: number, secondOfDay: number, nowMs: number): number {
  const now = Math.floor(nowMs / 1000)
  const today = Math.floor(now / daySeconds)
  const at = (today - (today % everyDays)) * daySeconds + secondOfDay
  return at > now ? at - everyDays * daySeconds : at
}

function plainBackup(seed: number, atSeconds: number, sizeBytes: number, nowMs: number): Backup {
  const luck = fraction(seed, atSeconds)
  const isOld = nowMs / 1000 - atSeconds > 7200
  return {
    atSeconds,
    running: false,
    sizeBytes: sizeBytes + 787,
    isProtected: luck < 0.02,
    isEncrypted: seed % 11 === 0,
    verification: !isOld || luck > 0.95 ? undefined : luck > 0.945 ? 'failed' : 'ok',
    luck,
  }
}
