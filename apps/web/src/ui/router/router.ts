import type { ComponentType } from 'react'
import type { Arrival, PageHistory, Place } from './history.ts'
import { codeHasCome, explainMissing } from '../missing-code.ts'

export interface RoutePage {
  path: string
  load: () => Promise<ComponentType>
}

/** Code that does not come is an error in its place. */
type Drawn = { Component: ComponentType } | { error: Error }

export type Shown = Drawn & {
  place: Place
  page: RoutePage
  how: Arrival
}

export interface RouterView {
  /** where somebody is, or is on the way to */
  place: Place
  /** the page there; the one before, until the code of the next one has come */
  shown: Shown | undefined
  /** the code of the next one takes long */
  isLate: boolean
}

export interface Routes {
  history: PageHistory
  pageAt(path: string): RoutePage | undefined
  /** where a path leads: itself where a page answers */
  resolve(path: string): string
  /** whether the server is there; never rejects */
  answers(): Promise<boolean>
}

export interface Router extends Pick<PageHistory, 'guard'> {
  view(): RouterView
  subscribe(listener: () => void): () => void
  /** Goes to the page of the address that is open; a second call changes nothing. */
  begin(): void
  /** Resolves when the page that was gone to is shown. */
  load(): Promise<void>
  go(href: string): Promise<void>
  /** Called before a link leads on: what is still to stand in the address that it leaves behind. */
  onGo(write: () => void): () => void
  replace(href: string): void
  /** Draws the open page again, whose code did not come. */
  retry(): void
  /** Fetches the code of a page that may be gone to soon. */
  preload(path: string): Promise<void>
}

const lateMs = 150
const noWait = Promise.resolve()

/** Which page is open. Its code is fetched once, and the page before stays until it has come. */
export function createRouter({ history, pageAt, resolve, answers }: Routes): Router {
  const code = new Map<RoutePage, ComponentType>()
  const listeners = new Set<() => void>()
  const writers = new Set<() => void>()
  let view: RouterView = { place: history.place(), shown: undefined, isLate: false }
  let loading: Promise<void> = noWait
  let hasBegun = false
  /** how somebody came to the address that leads to the next one */
  let sentOn: Arrival | undefined

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

  const arrive = (told: Arrival) => {
    const how = sentOn ?? told
    sentOn = undefined
    const place = history.place()
    const target = resolve(place.path)
    const page = pageAt(target)
    if (target !== place.path && page) {
      sentOn = how
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
      // whoever goes there hears of what went wrong
      if (page) await fetchCode(page).catch(() => {})
    },
  }
}

/** Another spelling of the same page keeps what follows the path. */
const kept = ({ search, hash }: Place, isSamePage: boolean) => (isSamePage ? search + hash : '')
