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
  const isCertain = listed.length <= 1 && (listedBy !== undefined || !listed.some(listsElsewhere))
  if (isCertain) return { sure: listed, possible: [] }
  const spaced = listed.filter(({ instance }) => endsWith(namespace, instance))
  if (spaced.length === 1) return { sure: spaced, possible: [] }
  const named = listed.filter(({ name }) => comment?.trim() === name)
  return named.length === 1 ? { sure: named, possible: [] } : { sure: [], possible: listed }
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
  return path === name || path.endsWith(`/${name}`)
}
