import { basePath, withoutBase } from '../../lib/base-path.ts'
import { createSignal } from '../../lib/signal.ts'

/** A location inside the program. */
export interface PageLocation {
  path: string
  /** with its question mark, or empty */
  search: string
  /** with its sign, or empty */
  hash: string
}

/** How the location changed: a new entry, a replaced one, or the browser's Back and Forward. */
export type Arrival = 'push' | 'replace' | 'pop'

/** Blocks navigation, for example while edits are unsaved. */
export interface Guard {
  blocks(to: PageLocation): boolean
  /** Asks the user; `proceed` continues the blocked navigation. */
  ask(proceed: () => void): void
}

export interface PageHistory {
  /** The same object until the address changes. */
  location(): PageLocation
  push(href: string): void
  /** Skips the guards. For redirects, and for parameters of the same page. */
  replace(href: string): void
  subscribe(listener: (how: Arrival) => void): () => void
  guard(guard: Guard): () => void
}

export interface HistoryEdges {
  /** path, search and hash */
  href(): string
  /** number of the open entry within this visit; undefined for an entry without one */
  at(): number | undefined
  put(href: string, at: number, how: 'push' | 'replace'): void
  /** Asynchronous; `onPop` follows. */
  go(by: number): void
  onPop(listener: () => void): void
}

/**
 * The browser's history with numbered entries. The numbers show how far Back or Forward went, so that a guard
 * can undo it and repeat it later.
 */
export function createHistory(edges: HistoryEdges): PageHistory {
  const arrived = createSignal<[how: Arrival]>()
  const guards = new Set<Guard>()
  let href = edges.href()
  let openLocation = parseHref(href)
  let at = edges.at() ?? 0
  /** the next popstate event is our own: it undoes a blocked step, or repeats one after the user agreed */
  let isGoingBack = false
  let isLetThrough = false
  edges.put(href, at, 'replace')

  const readLocation = () => {
    const current = edges.href()
    if (current !== href) [href, openLocation] = [current, parseHref(current)]
    return openLocation
  }

  const notify = (how: Arrival) => {
    readLocation()
    arrived.emit(how)
  }

  /**
   * Asks one guard after another. False: a guard is asking the user, and `go` runs if the user agrees. Guards
   * may come and go meanwhile, so the next one is looked up when the user has agreed.
   */
  const askGuards = (to: PageLocation, go: () => void, agreed: ReadonlySet<Guard> = new Set()): boolean => {
    const guard = [...guards].find((one) => !agreed.has(one) && one.blocks(to))
    if (!guard) return true
    guard.ask(() => askGuards(to, go, new Set([...agreed, guard])) && go())
    return false
  }

  const put = (to: string, how: 'push' | 'replace') => {
    if (how === 'push') at += 1
    edges.put(to, at, how)
    notify(how)
  }

  edges.onPop(() => {
    const now = edges.at()
    if (isGoingBack) return void (isGoingBack = false)
    if (now === undefined) {
      // A link with only a hash: the browser added an entry without a number. If the link leads to the open
      // address, the browser instead removed the number of this entry.
      if (edges.href() !== href) at += 1
      edges.put(edges.href(), at, 'replace')
      return notify('pop')
    }
    const by = now - at
    const proceed = () => {
      isLetThrough = true
      edges.go(by)
    }
    if (!isLetThrough && by !== 0 && !askGuards(parseHref(edges.href()), proceed)) {
      isGoingBack = true
      return edges.go(-by)
    }
    isLetThrough = false
    at = now
    notify('pop')
  })

  return {
    location: readLocation,
    push(to) {
      const go = () => put(to, to === edges.href() ? 'replace' : 'push')
      if (askGuards(parseHref(to), go)) go()
    },
    replace: (to) => put(to, 'replace'),
    subscribe: arrived.subscribe,
    guard(guard) {
      guards.add(guard)
      return () => void guards.delete(guard)
    },
  }
}

export const createBrowserHistory = (): PageHistory =>
  createHistory({
    href: () => withoutBase(window.location.pathname) + window.location.search + window.location.hash,
    at: () => (window.history.state as { at?: number } | null)?.at,
    put: (href, at, how) => window.history[`${how}State`]({ at }, '', basePath + href),
    go: (by) => window.history.go(by),
    onPop: (listener) => window.addEventListener('popstate', listener),
  })

function parseHref(href: string): PageLocation {
  const [, path = '', search = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(href) ?? []
  return { path, search, hash }
}
