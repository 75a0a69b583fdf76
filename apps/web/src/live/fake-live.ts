import type { DeltaFrame, RecordKind, RecordOf } from '@pulse/contract'
import { createLazyReader, type StatePatch } from '@pulse/domain'
import { type Connection, createConnection } from './connection.ts'
import { createLiveEvents } from './events.ts'
import type { Live } from './live.tsx'
import { createLiveStore } from './store.ts'

type Fixtures = { [K in RecordKind]?: Record<string, RecordOf<K>> }

/** A live state for tests: connected, with these records. Changes notify at once. */
export function aLive(records: Fixtures = {}, connection: Partial<Connection> = {}) {
  const store = createLiveStore((run) => run())
  const put = (records: Fixtures) => store.apply(toPatch(records))
  put(records)
  const reader = createLazyReader()
  const live: Live = {
    store,
    connection: createConnection({ status: 'connected', initialDataReceived: true, ...connection }),
    events: createLiveEvents(),
    reconnectNow: () => {},
    subscribeSlice: () => () => {},
  }
  return {
    ...live,
    put,
    /** Changes fields of existing records as a patch frame does: by id, then by path. */
    set(kind: RecordKind, fields: Record<string, Record<string, unknown>>) {
      for (const frame of asFrames(kind, [...store.records(kind)], fields)) {
        const change = reader.read(frame)
        if (change !== 'gap' && !change.reset) store.apply(change.changed)
      }
    },
    remove: (kind: RecordKind, ...ids: string[]) =>
      store.apply({ [kind]: { put: new Map(), remove: new Set(ids) } }),
  }
}

function toPatch(records: Fixtures): StatePatch {
  const entries = Object.entries(records).map(([kind, byId]) => [
    kind,
    { put: new Map(Object.entries(byId)), remove: new Set<string>() },
  ])
  return Object.fromEntries(entries) as StatePatch
}

function asFrames(
  kind: RecordKind,
  records: readonly (readonly [id: string, record: unknown])[],
  fields: Record<string, Record<string, unknown>>,
): DeltaFrame[] {
  const ids = records.map(([id]) => id)
  const columns: Record<string, { i: number[]; v: unknown[] }> = {}
  for (const [id, values] of Object.entries(fields)) {
    for (const [path, value] of Object.entries(values)) {
      const column = (columns[path] ??= { i: [], v: [] })
      column.i.push(ids.indexOf(id))
      column.v.push(value)
    }
  }
  const frame = { s: 'live', epoch: 'e' } as const
  return [
    {
      ...frame,
      t: 'snapshot',
      rev: 0,
      index: { [kind]: ids },
      state: { [kind]: records.map(([, one]) => one) },
    },
    { ...frame, t: 'patch', from: 0, rev: 1, set: { [kind]: columns } },
  ] as DeltaFrame[]
}
