import type { PbsBackup, PveBackup } from '@pulse/contract'

/** Location of a backup on a backup server. */
export const backupLocation = ({
  source,
  datastore,
  namespace,
}: Pick<PbsBackup, 'source' | 'datastore' | 'namespace'>): string => `${source}:${datastore}:${namespace}`

export interface Candidate {
  source: string
  instance: string
  name: string
  type: string
}

/** The certain owners, or else the possible ones. */
export interface Owners<T> {
  sure: readonly T[]
  possible: readonly T[]
}

/**
 * The owner of a backup. A backup server stores it under a VMID only, and guests of several clusters may
 * share that VMID. The owner is the guest whose cluster lists the backup, else the only guest with the VMID,
 * else the guest that namespace or comment name. Without certainty it has no owner: no backup is better than
 * another guest's. `listsElsewhere`: whether a guest's cluster lists the backups of that VMID only in other
 * locations.
 */
export function ownersOf<T extends Candidate>(
  { listedBy, namespace, comment }: Pick<PbsBackup, 'namespace' | 'comment' | 'listedBy'>,
  numbered: readonly T[],
  listsElsewhere: (guest: T) => boolean = () => false,
): Owners<T> {
  const listed = listedBy ? numbered.filter(({ source }) => listedBy.includes(source)) : numbered
  return ownersAmong({ listedBy, namespace, comment }, listed, listsElsewhere)
}

/** The same for guests that are already filtered by the listing clusters. */
export function ownersAmong<T extends Candidate>(
  { listedBy, namespace, comment }: Pick<PbsBackup, 'namespace' | 'comment' | 'listedBy'>,
  listed: readonly T[],
  listsElsewhere: (guest: T) => boolean = () => false,
): Owners<T> {
  const isCertain = listed.length <= 1 && (listedBy !== undefined || !listed.some(listsElsewhere))
  if (isCertain) return { sure: listed, possible: [] }
  const one =
    only(listed, ({ instance }) => endsWith(namespace, instance)) ??
    only(listed, ({ name }) => comment?.trim() === name)
  return one ? { sure: [one], possible: [] } : { sure: [], possible: listed }
}

/** Guests that may own the backups of the same clusters. Results are cached, because backups are many. */
export interface Fitting<T> {
  all: readonly T[]
  /** owner of a backup that only a cluster's storage lists */
  listed(one: Listing): Owners<T>
}

/** Of the guests with a VMID: those of that type in a cluster that lists the backup. */
export function fittingAmong<T extends Candidate>(
  candidates: readonly T[],
): (type: string, listedBy: readonly string[] | undefined) => Fitting<T> {
  const known = new Map<unknown, Map<string, Fitting<T>>>()

  function fittingOf(type: string, listedBy: readonly string[] | undefined): Fitting<T> {
    const isListed = (source: string) => listedBy?.includes(source) ?? true
    const all = candidates.filter((one) => (type === 'unknown' || one.type === type) && isListed(one.source))
    const bySource = new Map<string, Map<string | undefined, Owners<T>>>()
    return {
      all,
      listed: (one) =>
        once(
          once(bySource, one.source, () => new Map<string | undefined, Owners<T>>()),
          one.notes,
          () => ownersOfListed(one, all),
        ),
    }
  }

  return (type, listedBy) =>
    once(
      once(known, listedBy, () => new Map<string, Fitting<T>>()),
      type,
      () => fittingOf(type, listedBy),
    )
}

function once<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  let value = known.get(key)
  if (value === undefined) known.set(key, (value = make()))
  return value
}

/** Undefined if several or none match. */
function only<T>(all: readonly T[], isSo: (one: T) => boolean): T | undefined {
  let found: T | undefined
  for (const one of all) {
    if (!isSo(one)) continue
    if (found !== undefined) return undefined
    found = one
  }
  return found
}

type Listing = Pick<Extract<PveBackup, { list: 'storageBackups' }>, 'source' | 'notes' | 'listedBy'>

/**
 * Owners of a backup that only cluster storages list; several clusters may list a backup that one of them
 * made.
 */
export function ownersOfListed<T extends Candidate>(
  { source, notes, listedBy }: Listing,
  numbered: readonly T[],
): Owners<T> {
  const own = (one: T) => one.source === source
  if (!listedBy) return { sure: numbered.filter(own), possible: [] }
  const { sure, possible } = ownersOf({ namespace: '', comment: notes, listedBy }, numbered)
  return { sure: sure.filter(own), possible: possible.filter(own) }
}

/** Matches a whole last part: `dc/main` ends with main, `domain` does not. */
function endsWith(namespace: string, instance: string): boolean {
  const [path, name] = [namespace.toLowerCase(), instance.toLowerCase()]
  return path === name || (path.length > name.length && path.endsWith(`/${name}`))
}
