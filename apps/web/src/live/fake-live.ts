import { type RecordKind, type RecordOf } from '@pulse/contract'
import type { StatePatch } from '@pulse/domain'
import { type Connection, createConnection } from './connection.ts'
import { createLiveEvents } from './events.ts'
import type { Live } from './live.tsx'
import { createLiveStore } from './store.ts'

type Given = { [K in RecordKind]?: Record<string, RecordOf<K>> }

/** A live state for tests: connected, holding what is given; changes are seen at once. */
export function aLive(given: Given = {}, connection: Partial<Connection> = {}) {
  const store = createLiveStore((run) => run())
  const put = (records: Given) => store.apply(toPatch(records))
  put(given)
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
    remove: (kind: RecordKind, ...ids: string[]) =>
      store.apply({ [kind]: { put: new Map(), remove: new Set(ids) } }),
  }
}

function toPatch(records: Given): StatePatch {
  const entries = Object.entries(records).map(([kind, byId]) => [
    kind,
    { put: new Map(Object.entries(byId)), remove: new Set<string>() },
  ])
  return Object.fromEntries(entries) as StatePatch
}
