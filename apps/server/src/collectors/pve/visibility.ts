import type { Need } from '../part.ts'
import { isWhole } from '../proxmox/rights.ts'
import type { Permissions } from '../proxmox/schema.ts'

/** Long enough to distinguish a removed storage from one that the account may no longer see. */
const graceMs = 60_000
/** The longest wait for the answer about one of many. */
const mostAwaitedMs = 600_000
/**
 * What is hidden for so long was removed. With a storage PVE removes its own access list (PVE 8, remove_storage_access),
 * so rights that were given on that path alone say the same of both.
 */
const mostHiddenMs = 86_400_000
/** Paths that one look at the rights asks for by name; the others have their turn at the next. */
const mostAsked = 5

/** What shows a storage. */
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
  /** It may be seen, so it is not there. */
  isRemoved: boolean
  /** Only its own path can tell, which was not asked about yet. */
  isAwaited: boolean
  /** what is allowed on its own path, once it was asked for by name; and in which look that was */
  own?: Permissions[string]
  look: number
}

const pathOf = (storage: string) => `/storage/${storage}`

/**
 * Which storages the account cannot see any more. PVE leaves out of its lists what may not be seen, and what was removed
 * too: only the rights tell one from the other.
 */
export class StorageVisibility {
  #listed: ReadonlySet<string> = new Set()
  readonly #missing = new Map<string, Missing>()
  #look = 0

  /** All names of a listing. Returns whether one has gone, or one that could not be seen is back. */
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

  /** Paths that rights as a whole say nothing about but that they may be seen: each has to be asked for by its name. */
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

  /** What is allowed on such a path. */
  answered(path: string, own: Permissions[string]): void {
    for (const [name, missing] of this.#missing)
      if (pathOf(name) === path) Object.assign(missing, { own, isAwaited: false, look: this.#look })
  }

  /** What the account may see now. Returns it with what was asked by name. */
  know(granted: Permissions): Permissions {
    const all = { ...granted }
    for (const [name, { own }] of this.#missing) if (own) all[pathOf(name)] ??= own
    for (const [name, missing] of this.#missing) {
      missing.isHidden = !maySee(all, name)
      missing.isRemoved = !missing.isHidden && Object.hasOwn(all, pathOf(name))
    }
    return all
  }

  /** There are some of which only another look can tell. */
  get isAwaiting(): boolean {
    return [...this.#missing.values()].some(({ isAwaited }) => isAwaited)
  }

  /** It was there, and may not be seen any more: what is known of it stays. */
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
