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

/** Re-renders when that record changes, and only then. */
export function useEntity<K extends RecordKind>(kind: K, id: string): RecordOf<K> | undefined {
  const { store } = useLiveContext()
  const subscribe = useCallback(
    (listener: () => void) => store.onRecord(kind, id, listener),
    [store, kind, id],
  )
  return useSyncExternalStore(subscribe, () => store.get(kind, id))
}

/** Re-renders when a record of the kind comes or goes. */
export function useIds(kind: RecordKind): readonly string[] {
  const { store } = useLiveContext()
  const subscribe = useCallback((listener: () => void) => store.onMembers(kind, listener), [store, kind])
  return useSyncExternalStore(subscribe, () => store.ids(kind))
}

/**
 * A pure selector over the kinds it names, run again when one of them changed; re-renders only when
 * the result differs. An equal result keeps the identity of the earlier one.
 */
export function useLive<T>(
  kinds: readonly RecordKind[],
  select: (live: LiveReader) => T,
  isEqual: (a: T, b: T) => boolean = Object.is,
): T {
  const { store } = useLiveContext()
  const kindsKey = kinds.join()
  const [drawn] = useState(() => holder<T>())

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

/** For what is worked out over all records and stands beside the rows: first the rows are drawn. */
export const useAfterFirstPaint = (): boolean => useDeferredValue(true, false)

interface Held<T> {
  value: T
}

function holder<T>() {
  let held: Held<T> | undefined
  return { get: () => held, set: (value: T) => void (held = { value }) }
}

/** Selects again only when a version moved; `drawn` holds what was drawn last. */
function memoSelect<T>(
  store: LiveReader,
  kinds: readonly RecordKind[],
  select: (live: LiveReader) => T,
  isEqual: (a: T, b: T) => boolean,
  drawn: { get(): Held<T> | undefined },
): () => T {
  let seen = -1
  let held: Held<T> | undefined
  return () => {
    const version = versionOf(store, kinds)
    if (held && version === seen) return held.value
    const value = select(store)
    const before = held ?? drawn.get()
    held = before && isEqual(before.value, value) ? before : { value }
    seen = version
    return held.value
  }
}

const splitKinds = (key: string) => (key ? key.split(',') : []) as RecordKind[]

/** Same length, same members by identity: the usual `isEqual` for lists. */
export function sameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((one, index) => Object.is(one, b[index]))
}

export interface ConnectionView extends Connection {
  reconnectNow(): void
}

/** With a selector, re-renders only when what it picks changes; without, with every update. */
export function useConnection(): ConnectionView
export function useConnection<T>(select: (connection: Connection) => T): T
export function useConnection<T>(select?: (connection: Connection) => T): T | ConnectionView {
  const { connection, reconnectNow } = useLiveContext()
  const picked = useSyncExternalStore(connection.subscribe, () =>
    select ? select(connection.get()) : connection.get(),
  )
  return select ? (picked as T) : { ...(picked as Connection), reconnectNow }
}

/** Follows a slice for as long as this is drawn; whether all of it is there. */
export function useSlice(slice: Slice): boolean {
  const { subscribeSlice } = useLiveContext()
  useEffect(() => subscribeSlice(slice), [subscribeSlice, slice])
  return useConnection(({ held }) => held.includes(slice))
}

export function useReconnectNow(): () => void {
  return useLiveContext().reconnectNow
}

/** The handler may close over fresh props; it is never re-subscribed for that. */
export function useLiveEvent<T extends LiveEventType>(type: T, handler: (event: LiveEventOf<T>) => void) {
  const { events } = useLiveContext()
  const onEvent = useEffectEvent(handler)
  useEffect(() => events.on(type, (event) => onEvent(event)), [events, type])
}

/** After a connection that was lost came back: what events told meanwhile has to be asked for. */
export function useReconnected(handler: () => void) {
  const { connection } = useLiveContext()
  const onBack = useEffectEvent(handler)
  useEffect(() => {
    let lost = false
    return connection.subscribe(() => {
      const { status } = connection.get()
      if (status === 'reconnecting' || status === 'disconnected') lost = true
      if (status !== 'connected' || !lost) return
      lost = false
      onBack()
    })
  }, [connection])
}
