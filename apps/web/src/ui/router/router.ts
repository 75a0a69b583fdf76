import type { ComponentType } from 'react'
import type { Arrival, PageHistory, PageLocation } from './history.ts'
import { noteCodeLoaded, explainMissing } from '../missing-code.ts'
import { createSignal } from '../../lib/signal.ts'

export interface RoutePage {
  path: string
  load: () => Promise<ComponentType>
}

/** The page component, or the error if its code failed to load. */
type Drawn = { Component: ComponentType } | { error: Error }

export type Shown = Drawn & {
  location: PageLocation
  page: RoutePage
  how: Arrival
}

export interface RouterView {
  /** the location in the address bar; its page may still be loading */
  location: PageLocation
  /** the visible page: the previous one until the next one's code has loaded */
  shown: Shown | undefined
  /** the code of the next page takes longer than 150 ms */
  isLoading: boolean
}

export interface Routes {
  history: PageHistory
  pageAt(path: string): RoutePage | undefined
  /** follows redirects; a path with a page is its own target */
  resolve(path: string): string
  /** whether the server answers; never rejects */
  isServerUp(): Promise<boolean>
  /** adds to a link what stays when the user goes from here to another page */
  carry?(href: string, from: PageLocation): string
}

export interface Router extends Pick<PageHistory, 'guard'> {
  view(): RouterView
  subscribe(listener: () => void): () => void
  /** Opens the page of the current address; a second call does nothing. */
  start(): void
  /** Resolves when the page of the current address is shown. */
  load(): Promise<void>
  go(href: string): Promise<void>
  /** The address that a link leads to. */
  hrefOf(href: string): string
  /** Runs before a navigation: the last chance to change the current address. */
  onGo(write: () => void): () => void
  replace(href: string): void
  /** Loads the code of the open page again, after it failed. */
  retry(): void
  /** Loads the code of a page that the user may open soon. */
  preload(path: string): Promise<void>
}

const loadingDelayMs = 150
const noWait = Promise.resolve()

/** Decides which page is open. Its code loads once. The previous page stays visible meanwhile. */
export function createRouter(routes: Routes): Router {
  const { history, pageAt, resolve, isServerUp, carry = (href) => href } = routes
  const code = new Map<RoutePage, ComponentType>()
  const changed = createSignal()
  const writers = new Set<() => void>()
  let view: RouterView = { location: history.location(), shown: undefined, isLoading: false }
  let loading: Promise<void> = noWait
  let hasStarted = false
  /** how the user arrived at an address that redirects */
  let beforeRedirect: Arrival | undefined

  const hrefOf = (href: string) => carry(href, history.location())

  const set = (change: Partial<RouterView>) => {
    view = { ...view, ...change }
    changed.emit()
  }

  const fetchCode = async (page: RoutePage): Promise<ComponentType> => {
    const known = code.get(page)
    if (known) return known
    const Component = await page.load()
    code.set(page, Component)
    noteCodeLoaded()
    return Component
  }

  const arrive = (arrival: Arrival) => {
    const how = beforeRedirect ?? arrival
    beforeRedirect = undefined
    const location = history.location()
    const target = resolve(location.path)
    const page = pageAt(target)
    if (target !== location.path && page) {
      beforeRedirect = how
      return history.replace(hrefOf(target + searchAndHash(location, page === pageAt(location.path))))
    }
    if (!page) return set({ location, shown: undefined })
    const Component = code.get(page)
    if (!Component) return void (loading = follow(location, page, how))
    loading = noWait
    set({ location, shown: { location, page, how, Component }, isLoading: false })
  }

  const follow = async (location: PageLocation, page: RoutePage, how: Arrival) => {
    const isCurrent = () => view.location === location
    set({ location, isLoading: false })
    const loadingTimer = setTimeout(() => isCurrent() && set({ isLoading: true }), loadingDelayMs)
    const drawn = await fetchCode(page).then(
      (Component): Drawn => ({ Component }),
      (thrown: unknown): Drawn => ({ error: thrown instanceof Error ? thrown : new Error(String(thrown)) }),
    )
    clearTimeout(loadingTimer)
    if (!isCurrent()) return
    if ('error' in drawn) drawn.error = await explainMissing(drawn.error, isServerUp)
    if (!isCurrent()) return
    set({ shown: { location, page, how, ...drawn }, isLoading: false })
  }

  const start = () => {
    if (hasStarted) return
    hasStarted = true
    history.subscribe(arrive)
    arrive('replace')
  }

  return {
    view: () => view,
    subscribe: changed.subscribe,
    guard: history.guard,
    start,
    load() {
      start()
      return loading
    },
    go(href) {
      for (const write of writers) write()
      history.push(hrefOf(href))
      return loading
    },
    onGo(write) {
      writers.add(write)
      return () => void writers.delete(write)
    },
    hrefOf,
    replace: history.replace,
    retry: () => arrive('replace'),
    async preload(path) {
      const page = pageAt(resolve(path))
      // opening the page reports the failure
      if (page) await fetchCode(page).catch(() => {})
    },
  }
}

/** A redirect to the same page keeps search and hash. */
const searchAndHash = ({ search, hash }: PageLocation, isSamePage: boolean) =>
  isSamePage ? search + hash : ''
