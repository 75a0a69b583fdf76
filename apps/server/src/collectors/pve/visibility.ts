import type { Need } from '../part.ts'
import { isWhole } from '../proxmox/rights.ts'
import type { Permissions } from '../proxmox/schema.ts'

/** Long enough to distinguish a removed storage from one that the account may no longer see. */
const graceMs = 60_000
/** The longest wait for the answer about one of many. */
const mostAwaitedMs = 600_000
/**
 * A storage hidden for this long counts as removed. PVE removes a storage together with its access list (PVE
 * 8, remove_storage_access), so rights granted only on that path cannot distinguish the two.
 */
const mostHiddenMs = 86_400_000
/** Paths queried by name per check of the rights. The others follow at the next check. */
const mostAsked = 5

/** The rights that make a storage visible. */
export const storageNeed: Need = {
  path: '/storage',
  rights: ['Datastore.Audit', 'Datastore.Allocate', 'Datastore.AllocateSpace'],
  called: 'Datastore.Audit',
  dark: 'storage will not appear',
}

interface Missing {
  /** monotonic */
  since: number
  isHidden: boolean
  /** the account may see it, so it does not exist */
  isRemoved: boolean
  /** only a query of its own path can decide, which has not been sent yet */
  isAwaited: boolean
  /** the rights on its own path from a query by name, and the check of that query */
  own?: Permissions[string]
  look: number
}

const pathOf = (storage: string) => `/storage/${storage}`

/**
 * The storages that the account cannot see any more. PVE omits both hidden and removed storages from its
 * lists. Only the rights distinguish them.
 */
export class StorageVisibility {
  #listed: ReadonlySet<string> = new Set()
  readonly #missing = new Map<string, Missing>()
  #look = 0

  /** Takes over the names of a listing. Returns whether one is newly missing, or a hidden one is back. */
  list(names: Iterable<string>, at: number): boolean {
    const seen = new Set(names)
    let isNews = false
    for (const [name, missing] of this.#missing) {
      const isBack = seen.has(name)
      if (isBack || at - missing.since >= timeoutOf(missing)) this.#missing.delete(name)
      isNews ||= isBack && missing.isHidden
    }
    for (const name of this.#listed)
      if (!seen.has(name)) {
        this.#missing.set(name, { since: at, isHidden: false, isRemoved: false, isAwaited: false, look: 0 })
        isNews = true
      }
    this.#listed = seen
    return isNews
  }

  /** Paths that look visible in the answer for all paths. Each needs a query by name. */
  doubtful(granted: Permissions): string[] {
    this.#look++
    const doubtful = [...this.#missing].filter(
      ([name]) => !Object.hasOwn(granted, pathOf(name)) && maySee(granted, name),
    )
    for (const missing of this.#missing.values()) missing.isAwaited = false
    for (const [, missing] of doubtful) missing.isAwaited = missing.own === undefined
    return doubtful
      .toSorted(([, one], [, other]) => one.look - other.look)
      .slice(0, mostAsked)
      .map(([name]) => pathOf(name))
  }

  /** Takes over the rights on such a path. */
  answered(path: string, own: Permissions[string]): void {
    for (const [name, missing] of this.#missing)
      if (pathOf(name) === path) Object.assign(missing, { own, isAwaited: false, look: this.#look })
  }

  /** Takes over the account's rights. Returns them together with the answers by name. */
  know(granted: Permissions): Permissions {
    const all = { ...granted }
    for (const [name, { own }] of this.#missing) if (own) all[pathOf(name)] ??= own
    for (const [name, missing] of this.#missing) {
      missing.isHidden = !maySee(all, name)
      missing.isRemoved = !missing.isHidden && Object.hasOwn(all, pathOf(name))
    }
    return all
  }

  /** Whether some storages need another check. */
  get isAwaiting(): boolean {
    return [...this.#missing.values()].some(({ isAwaited }) => isAwaited)
  }

  /** The storage was listed and may not be seen any more. Its data stays. */
  isHidden(name: string): boolean {
    return this.#missing.get(name)?.isHidden ?? false
  }

  /** It is no longer listed, for an unknown reason. */
  isMissing(name: string): boolean {
    const missing = this.#missing.get(name)
    return missing !== undefined && !missing.isRemoved
  }
}

function timeoutOf({ isHidden, isAwaited }: Missing): number {
  if (isHidden) return mostHiddenMs
  return isAwaited ? mostAwaitedMs : graceMs
}

function maySee(granted: Permissions, name: string): boolean {
  const path = pathOf(name)
  const own = Object.hasOwn(granted, path) ? granted[path] : undefined
  if (own) return storageNeed.rights.some((right) => Object.hasOwn(own, right))
  return isWhole(granted, path, storageNeed.rights)
}
