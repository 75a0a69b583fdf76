import { basePath, withoutBase } from '../../lib/base-path.ts'

/** Where in the program somebody is. */
export interface Place {
  path: string
  /** with its question mark, or empty */
  search: string
  /** with its sign, or empty */
  hash: string
}

/** A place was gone to, put in the place of another, or come back to with the browser's own buttons. */
export type Arrival = 'push' | 'replace' | 'pop'

/** Holds on to whoever leaves. */
export interface Guard {
  holds(to: Place): boolean
  /** `goOn` goes where it was held back from. */
  ask(goOn: () => void): void
}

export interface PageHistory {
  /** The same object until the address changes. */
  place(): Place
  push(href: string): void
  /** Asks no guard: for whoever came to an address that leads to another one. */
  replace(href: string): void
  subscribe(listener: (how: Arrival) => void): () => void
  guard(guard: Guard): () => void
}

export interface HistoryEdges {
  /** path, search and hash */
  href(): string
  /** which of the entries of this visit is open; undefined when it is none of ours */
  at(): number | undefined
  put(href: string, at: number, how: 'push' | 'replace'): void
  /** Later than now; tells `onPop`. */
  go(by: number): void
  onPop(listener: () => void): void
}

/** The addresses of one visit, as long as the page is. */
export function createHistory(edges: HistoryEdges): PageHistory {
  const listeners = new Set<(how: Arrival) => void>()
  const guards = new Set<Guard>()
  let href = edges.href()
  let place = toPlace(href)
  let at = edges.at() ?? 0
  /** the next move of the browser's is our own: back to who was held, or on for who was let go */
  let isGoingBack = false
  let isLetThrough = false
  edges.put(href, at, 'replace')

  const look = () => {
    const current = edges.href()
    if (current !== href) [href, place] = [current, toPlace(current)]
    return place
  }

  const tell = (how: Arrival) => {
    look()
    for (const listener of listeners) listener(how)
  }

  /** One guard after another, as far as they hold; false: somebody asks, and goes on with `go`. */
  const passes = (to: Place, go: () => void, left = [...guards]): boolean => {
    const [guard, ...rest] = left
    if (!guard) return true
    if (!guard.holds(to)) return passes(to, go, rest)
    guard.ask(() => passes(to, go, rest) && go())
    return false
  }

  const put = (to: string, how: 'push' | 'replace') => {
    if (how === 'push') at += 1
    edges.put(to, at, how)
    tell(how)
  }

  edges.onPop(() => {
    const now = edges.at()
    if (isGoingBack) return void (isGoingBack = false)
    if (now === undefined) {
      // A link into the same document: the browser has made an entry without a number, or, where the link leads to what
      // is open already, has taken the number from this one.
      if (edges.href() !== href) at += 1
      edges.put(edges.href(), at, 'replace')
      return tell('pop')
    }
    const by = now - at
    const goOn = () => {
      isLetThrough = true
      edges.go(by)
    }
    if (!isLetThrough && by !== 0 && !passes(toPlace(edges.href()), goOn)) {
      isGoingBack = true
      return edges.go(-by)
    }
    isLetThrough = false
    at = now
    tell('pop')
  })

  return {
    place: look,
    push(to) {
      const go = () => put(to, to === edges.href() ? 'replace' : 'push')
      if (passes(toPlace(to), go)) go()
    },
    replace: (to) => put(to, 'replace'),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
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

function toPlace(href: string): Place {
  const [, path = '', search = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(href) ?? []
  return { path, search, hash }
}
