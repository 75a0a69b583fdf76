import type { PbsBackup, PveBackup } from '@pulse/contract'

/** Where on which backup server it lies. */
export const backupPlace = ({
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

/** Whose it is for certain; or, when that is not certain, whose it may be. */
export interface Owners<T> {
  sure: readonly T[]
  possible: readonly T[]
}

/**
 * Whose backup it is that a backup server holds under nothing but a number, which guests of several clusters may have:
 * whose cluster lists it, else the only one there is, else whose namespace or name it bears. No guest's when that is not
 * certain: no backup is better than another guest's. `listsElsewhere` says of a guest that its cluster lists the backups
 * of that number in other places than this one.
 */
export function ownersOf<T extends Candidate>(
  { listedBy, namespace, comment }: Pick<PbsBackup, 'namespace' | 'comment' | 'listedBy'>,
  numbered: readonly T[],
  listsElsewhere: (guest: T) => boolean = () => false,
): Owners<T> {
  const listed = listedBy ? numbered.filter(({ source }) => listedBy.includes(source)) : numbered
  return ownersAmong({ listedBy, namespace, comment }, listed, listsElsewhere)
}

/** The same where it is known already who of them is of a cluster that lists it. */
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

/** Guests of which backups may be that the same clusters list; backups are many, so each answer is worked out once. */
export interface Fitting<T> {
  all: readonly T[]
  /** whose one is that is only known from the storages of a cluster */
  listed(one: Listing): Owners<T>
}

/** Of those that bear a number: who is of that type, and of a cluster that lists it. */
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

/** undefined when it is so of several, or of none. */
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

/** Of one that is only known from its cluster's storages, where several clusters may list what one of them made. */
export function ownersOfListed<T extends Candidate>(
  { source, notes, listedBy }: Listing,
  numbered: readonly T[],
): Owners<T> {
  const own = (one: T) => one.source === source
  if (!listedBy) return { sure: numbered.filter(own), possible: [] }
  const { sure, possible } = ownersOf({ namespace: '', comment: notes, listedBy }, numbered)
  return { sure: sure.filter(own), possible: possible.filter(own) }
}

/** As a whole last part: `dc/main` ends with main, `domain` does not. */
function endsWith(namespace: string, instance: string): boolean {
  const [path, name] = [namespace.toLowerCase(), instance.toLowerCase()]
  return path === name || (path.length > name.length && path.endsWith(`/${name}`))
}
