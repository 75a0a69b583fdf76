import type { ComponentType } from 'react'
import type { Arrival, PageHistory, Place } from './history.ts'
import { codeHasCome, explainMissing } from '../missing-code.ts'

export interface RoutePage {
  path: string
  load: () => Promise<ComponentType>
}

/** Code that fails to load is drawn as an error. */
type Drawn = { Component: ComponentType } | { error: Error }

export type Shown = Drawn & {
  place: Place
  page: RoutePage
  how: Arrival
}

export interface RouterView {
  /** the location in the address bar; its page may still be loading */
  place: Place
  /** the page in sight: the previous one until the code of the next has loaded */
  shown: Shown | undefined
  /** the code of the next page takes longer than 150 ms */
  isLate: boolean
}

export interface Routes {
  history: PageHistory
  pageAt(path: string): RoutePage | undefined
  /** follows redirects; a path with a page is its own target */
  resolve(path: string): string
  /** whether the server answers; never rejects */
  answers(): Promise<boolean>
}

export interface Router extends Pick<PageHistory, 'guard'> {
  view(): RouterView
  subscribe(listener: () => void): () => void
  /** Opens the page of the current address; a second call does nothing. */
  begin(): void
  /** Resolves when the page of the current address is shown. */
  load(): Promise<void>
  go(href: string): Promise<void>
  /** Runs before a link is followed: the last chance to change the address that it leaves. */
  onGo(write: () => void): () => void
  replace(href: string): void
  /** Loads the code of the open page again, after it failed. */
  retry(): void
  /** Loads the code of a page that the user may open soon. */
  preload(path: string): Promise<void>
}

const lateMs = 150
const noWait = Promise.resolve()

/** Decides which page is open. Its code loads once; the previous page stays in sight meanwhile. */
export function createRouter({ history, pageAt, resolve, answers }: Routes): Router {
  const code = new Map<RoutePage, ComponentType>()
  const listeners = new Set<() => void>()
  const writers = new Set<() => void>()
  let view: RouterView = { place: history.place(), shown: undefined, isLate: false }
  let loading: Promise<void> = noWait
  let hasBegun = false
  /** how the user arrived at an address that redirects */
  let beforeRedirect: Arrival | undefined

  const set = (change: Partial<RouterView>) => {
    view = { ...view, ...change }
    for (const listener of listeners) listener()
  }

  const fetchCode = async (page: RoutePage): Promise<ComponentType> => {
    const known = code.get(page)
    if (known) return known
    const Component = await page.load()
    code.set(page, Component)
    codeHasCome()
    return Component
  }

  const arrive = (arrival: Arrival) => {
    const how = beforeRedirect ?? arrival
    beforeRedirect = undefined
    const place = history.place()
    const target = resolve(place.path)
    const page = pageAt(target)
    if (target !== place.path && page) {
      beforeRedirect = how
      return history.replace(target + kept(place, page === pageAt(place.path)))
    }
    if (!page) return set({ place, shown: undefined })
    const Component = code.get(page)
    if (!Component) return void (loading = follow(place, page, how))
    loading = noWait
    set({ place, shown: { place, page, how, Component }, isLate: false })
  }

  const follow = async (place: Place, page: RoutePage, how: Arrival) => {
    const isCurrent = () => view.place === place
    set({ place, isLate: false })
    const late = setTimeout(() => isCurrent() && set({ isLate: true }), lateMs)
    const drawn = await fetchCode(page).then(
      (Component): Drawn => ({ Component }),
      (thrown: unknown): Drawn => ({ error: thrown instanceof Error ? thrown : new Error(String(thrown)) }),
    )
    clearTimeout(late)
    if (!isCurrent()) return
    if ('error' in drawn) drawn.error = await explainMissing(drawn.error, answers)
    if (!isCurrent()) return
    set({ shown: { place, page, how, ...drawn }, isLate: false })
  }

  const begin = () => {
    if (hasBegun) return
    hasBegun = true
    history.subscribe(arrive)
    arrive('replace')
  }

  return {
    view: () => view,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    guard: history.guard,
    begin,
    load() {
      begin()
      return loading
    },
    go(href) {
      for (const write of writers) write()
      history.push(href)
      return loading
    },
    onGo(write) {
      writers.add(write)
      return () => void writers.delete(write)
    },
    replace: history.replace,
    retry: () => arrive('replace'),
    async preload(path) {
      const page = pageAt(resolve(path))
      // opening the page reports the failure
      if (page) await fetchCode(page).catch(() => {})
    },
  }
}

/** Another spelling of the same path keeps search and hash. */
const kept = ({ search, hash }: Place, isSamePage: boolean) => (isSamePage ? search + hash : '')
