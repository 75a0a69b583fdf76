import type { AnyRecord, Node, RecordKind } from '@pulse/contract'
import { aNode } from '@pulse/testkit'
import type { Tables } from '../state/tables.ts'
import { ChangeLog } from './change-log.ts'
import { ChangeReader } from './change-reader.ts'
import { memoryChanges } from './fixtures-change-storage.ts'
import { toLogged } from './logged-fields.ts'

export const hour = 3_600_000
export const minute = 60_000

/** What work in steps gives in the end. */
export function finished<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** A log whose source `main` has been there for long. */
export function aLog(storage = memoryChanges()) {
  const log = new ChangeLog(storage)
  const put = (at: number, kind: RecordKind, id: string, record: object) =>
    log.append([{ at, kind, id, do: 'put', fields: toLogged(kind, record) }], at)
  const source = (id: string) => put(0, 'sources', id, { name: id, kind: 'pve', health: 'healthy' })
  source('main')
  return {
    log,
    storage,
    put,
    source,
    /** what the collector reports next */
    set: (at: number, kind: RecordKind, id: string, fields: object) =>
      log.append([{ at, kind, id, do: 'set', fields: fields as never }], at),
    found: () =>
      finished(log.notices({ from: 0, to: Infinity, most: 100 }))
        .notices.filter(({ kind }) => kind !== 'sources')
        .map(({ at: _at, ...rest }) => rest)
        .toReversed(),
  }
}

/** A node in front of the log, with the clock of the machine. `collect`: it answers, and has run since then. */
export function aNodeWithClock(storage = memoryChanges()) {
  const { log, source, found } = aLog(storage)
  let [wall, monotonic] = [100 * hour, 0]
  const reader = new ChangeReader({ now: () => wall, monotonic: () => monotonic })
  const nodes = new Map<string, AnyRecord>()
  const tables = new Proxy({} as Tables, {
    get: (_, kind: RecordKind) => (kind === 'nodes' ? nodes : new Map()),
  })
  source('main')
  return {
    log,
    pass: (ms: number) => ([wall, monotonic] = [wall + ms, monotonic + ms]),
    step: (ms: number) => (wall += ms),
    collect(upMs: number, change: Partial<Node> = {}) {
      const node = aNode({ source: 'main', startedAt: wall - upMs, ...change })
      nodes.set('main:pve1', node)
      const put = new Map([['main:pve1', node]])
      log.append(reader.read({ nodes: { put, remove: new Set() } } as never), wall)
    },
    /** Pulse sends everything, at its start or because changes were lost. */
    sendAll() {
      for (const entries of reader.readAll(tables)) log.append(entries, wall)
    },
    words: () => found().flatMap(({ what }) => (what === 'came' ? [] : [what])),
  }
}
