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
 * whose cluster lists it, else the only one there is, else whose namespace or name it bears. Nobody's when that is not
 * certain: no backup is better than somebody else's. `listsElsewhere` says of a guest that its cluster lists the backups
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

/** Those of a type of guest that are of this cluster, or of any of these: each answer is worked out once. */
export function candidatesAmong<T extends Candidate>(
  all: readonly T[],
): (type: string, clusters: string | readonly string[] | undefined) => readonly T[] {
  const known = new Map<unknown, Map<string, readonly T[]>>()
  return (type, clusters) => {
    const byType = known.get(clusters) ?? new Map<string, readonly T[]>()
    known.set(clusters, byType)
    const before = byType.get(type)
    if (before) return before
    const isOf = (source: string) =>
      typeof clusters === 'string' ? source === clusters : (clusters?.includes(source) ?? true)
    const found = all.filter((one) => (type === 'unknown' || one.type === type) && isOf(one.source))
    byType.set(type, found)
    return found
  }
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
