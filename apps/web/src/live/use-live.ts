import type { RecordKind, RecordOf, Slice } from '@pulse/contract'
import {
  useCallback,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import type { Connection } from './connection.ts'
import type { LiveEventOf, LiveEventType } from './events.ts'
import { useLiveContext } from './live.tsx'
import { versionOf } from './per-version.ts'
import type { LiveReader } from './store.ts'

/** Re-renders only when that record changes. */
export function useEntity<K extends RecordKind>(kind: K, id: string): RecordOf<K> | undefined {
  const { store } = useLiveContext()
  const subscribe = useCallback(
    (listener: () => void) => store.onRecord(kind, id, listener),
    [store, kind, id],
  )
  return useSyncExternalStore(subscribe, () => store.get(kind, id))
}

/** Re-renders when a record of the kind is added or removed. */
export function useIds(kind: RecordKind): readonly string[] {
  const { store } = useLiveContext()
  const subscribe = useCallback((listener: () => void) => store.onMembers(kind, listener), [store, kind])
  return useSyncExternalStore(subscribe, () => store.ids(kind))
}

/**
 * Runs a pure selector over these kinds again when one of them changes, and re-renders only if the result
 * differs. An equal result keeps its identity.
 */
export function useLive<T>(
  kinds: readonly RecordKind[],
  select: (live: LiveReader) => T,
  isEqual: (a: T, b: T) => boolean = Object.is,
): T {
  const { store } = useLiveContext()
  const kindsKey = kinds.join()
  const [drawn] = useState(() => createCache<T>())

  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = splitKinds(kindsKey).map((kind) => store.onKind(kind, listener))
      return () => stops.forEach((stop) => stop())
    },
    [store, kindsKey],
  )

  const getSnapshot = useMemo(
    () => memoSelect(store, splitKinds(kindsKey), select, isEqual, drawn),
    [store, kindsKey, select, isEqual, drawn],
  )

  const value = useSyncExternalStore(subscribe, getSnapshot)
  useEffect(() => {
    drawn.set(value)
  }, [drawn, value])
  return value
}

/** Defers work over all records until the rows are drawn. */
export const useAfterFirstPaint = (): boolean => useDeferredValue(true, false)

interface Cached<T> {
  value: T
}

function createCache<T>() {
  let cached: Cached<T> | undefined
  return { get: () => cached, set: (value: T) => void (cached = { value }) }
}

/** Selects again only when a version changed; `drawn` holds the last rendered result. */
function memoSelect<T>(
  store: LiveReader,
  kinds: readonly RecordKind[],
  select: (live: LiveReader) => T,
  isEqual: (a: T, b: T) => boolean,
  drawn: { get(): Cached<T> | undefined },
): () => T {
  let cachedVersion = -1
  let cached: Cached<T> | undefined
  return () => {
    const version = versionOf(store, kinds)
    if (cached && version === cachedVersion) return cached.value
    const value = select(store)
    const before = cached ?? drawn.get()
    cached = before && isEqual(before.value, value) ? before : { value }
    cachedVersion = version
    return cached.value
  }
}

const splitKinds = (key: string) => (key ? key.split(',') : []) as RecordKind[]

/** Same members by identity, in the same order: the usual `isEqual` for lists. */
export function sameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((one, index) => Object.is(one, b[index]))
}

export interface ConnectionView extends Connection {
  reconnectNow(): void
}

/** With a selector, re-renders only when its result changes. Without one, re-renders on every update. */
export function useConnection(): ConnectionView
export function useConnection<T>(select: (connection: Connection) => T): T
export function useConnection<T>(select?: (connection: Connection) => T): T | ConnectionView {
  const { connection, reconnectNow } = useLiveContext()
  const picked = useSyncExternalStore(connection.subscribe, () =>
    select ? select(connection.get()) : connection.get(),
  )
  return select ? (picked as T) : { ...(picked as Connection), reconnectNow }
}

/** Subscribes to a slice while the component is mounted; returns whether it is complete. */
export function useSlice(slice: Slice): boolean {
  const { subscribeSlice } = useLiveContext()
  useEffect(() => subscribeSlice(slice), [subscribeSlice, slice])
  return useConnection(({ loadedSlices }) => loadedSlices.includes(slice))
}

export function useReconnectNow(): () => void {
  return useLiveContext().reconnectNow
}

/** Calls the latest handler without subscribing again. */
export function useLiveEvent<T extends LiveEventType>(type: T, handler: (event: LiveEventOf<T>) => void) {
  const { events } = useLiveContext()
  const onEvent = useEffectEvent(handler)
  useEffect(() => events.on(type, (event) => onEvent(event)), [events, type])
}

/** Runs after a reconnect, because events in between were missed. */
export function useReconnected(handler: () => void) {
  const { connection } = useLiveContext()
  const onBack = useEffectEvent(handler)
  useEffect(() => {
    let wasLost = false
    return connection.subscribe(() => {
      const { status } = connection.get()
      if (status === 'reconnecting' || status === 'disconnected') wasLost = true
      if (status !== 'connected' || !wasLost) return
      wasLost = false
      onBack()
    })
  }, [connection])
}
