import { kindsOf, type PastState, type Slice } from '@pulse/contract'
import { createSignal } from '../lib/signal.ts'
import { createConnection } from './connection.ts'
import { createLiveEvents } from './events.ts'
import type { Live } from './live.tsx'
import { createFrameApplier } from './socket.ts'
import { createLiveStore } from './store.ts'

/** Loads a slice of the estate as it was then. */
export type LoadPast = (at: number, slice: Slice, signal: AbortSignal) => Promise<PastState>

export interface PastView {
  /** what is in the store; undefined until the first moment is loaded */
  shown: ShownMoment | undefined
  isLoading: boolean
  /** why the moment that was asked for last is not shown */
  error: Error | undefined
}

export interface ShownMoment {
  /** epoch ms, as answered */
  at: number
  /** Pulse did not run then: the records are those of its last minute */
  wasOff: boolean
}

/** The live state of a moment. Pages read it like that of now. */
export interface PastLive {
  live: Live
  view(): PastView
  subscribe(listener: () => void): () => void
  /** Loads another moment. The store keeps the former one until all of it has arrived. */
  goTo(at: number): void
  /** Asks for the last moment again. */
  retry(): void
  stop(): void
}

/** Holds one moment at a time. */
export function createPastLive(load: LoadPast): PastLive {
  const store = createLiveStore((run) => queueMicrotask(run))
  const connection = createConnection({ status: 'connected' })
  const applier = createFrameApplier(store)
  const changed = createSignal()
  const subscribed = new Map<Slice, number>()
  const wanted = (): Slice[] => ['live', ...subscribed.keys()]
  let view: PastView = { shown: undefined, isLoading: false, error: undefined }
  let asked: number | undefined
  let request: AbortController | undefined

  const set = (change: Partial<PastView>) => {
    view = { ...view, ...change }
    changed.emit()
  }

  const drop = (slice: Slice) => {
    applier.drop(slice)
    store.apply({}, kindsOf(slice))
  }

  const show = (at: number, states: readonly PastState[]) => {
    const loaded = states.map(({ frame }) => frame.s)
    for (const { frame } of states) applier.apply(frame)
    // what belongs to another moment
    for (const slice of connection.get().loadedSlices) if (!loaded.includes(slice)) drop(slice)
    connection.set({
      initialDataReceived: true,
      loadedSlices: loaded.filter((slice) => slice !== 'live'),
      lastUpdate: at,
    })
    set({ shown: { at, wasOff: states[0]!.gap === 'off' }, isLoading: false, error: undefined })
    // a page may have asked for another slice meanwhile
    if (wanted().some((slice) => !loaded.includes(slice))) ask()
  }

  const ask = () => {
    if (asked === undefined) return
    request?.abort()
    const own = (request = new AbortController())
    const at = asked
    set({ isLoading: true, error: undefined })
    Promise.all(wanted().map((slice) => load(at, slice, own.signal)))
      .then((states) => own === request && show(states[0]!.at, states))
      // no answer, or one that cannot be read
      .catch((error: Error) => own === request && set({ isLoading: false, error }))
  }

  const live: Live = {
    store,
    connection,
    events: createLiveEvents(),
    reconnectNow: () => ask(),
    subscribeSlice(slice) {
      const count = subscribed.get(slice) ?? 0
      subscribed.set(slice, count + 1)
      if (!connection.get().loadedSlices.includes(slice)) ask()
      return () => {
        const left = (subscribed.get(slice) ?? 1) - 1
        if (left > 0) return void subscribed.set(slice, left)
        subscribed.delete(slice)
        drop(slice)
        connection.set({ loadedSlices: connection.get().loadedSlices.filter((one) => one !== slice) })
      }
    },
  }

  return {
    live,
    view: () => view,
    subscribe: changed.subscribe,
    goTo(at) {
      if (at === asked && !view.error) return
      asked = at
      ask()
    },
    retry: ask,
    stop: () => request?.abort(),
  }
}
