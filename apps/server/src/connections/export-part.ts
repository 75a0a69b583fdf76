import { connectionKey, type ImportChanges } from '@pulse/contract'
import type { Connection } from '@pulse/domain'
import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import { AppError } from '../app-error.ts'
import type { ConnectionStore } from '../db/connections.ts'
import { at, count, invalidFile, listed, nothing, part } from '../export-part.ts'
import { maxConnections } from './connections.ts'
import { ExportedConnection, toConnection, toExported } from './exported.ts'
import { normalizeHost } from '../node-config/normalize.ts'
import { legacyConnections } from './legacy.ts'

export interface ConnectionsPartEdges {
  store: ConnectionStore
  now: () => number
  /** declared in pulse.yaml, so no import changes it */
  isManaged: (connection: Connection) => boolean
}

/** Connections with their secrets. An import replaces the whole list. */
export const connectionsPart = ({ store, now, isManaged }: ConnectionsPartEdges) =>
  part({
    key: 'connections',
    schema: z.array(ExportedConnection).check(z.maxLength(maxConnections)),
    older: legacyConnections,
    async read() {
      return (await store.all()).map(toExported)
    },
    async plan(exported) {
      const stored = await store.all()
      if (exported.length === 0) {
        const kept = stored.length > 0 ? ['The file contains no nodes: existing nodes are kept.'] : []
        return { ...nothing, notes: kept }
      }
      const connections = exported.map((one, n) =>
        at(`connections[${n}]`, () => toConnection(one, idFor(one, stored))),
      )
      refuseDuplicates(connections)
      const managed = stored.filter(isManaged)
      const taken = connections.filter((one) => !managed.some((other) => isTwin(one, other)))
      const kept = managed.map(({ name }) => name)
      return {
        summary: count(taken.length, 'node'),
        notes: kept.length > 0 ? [`Nodes declared in pulse.yaml are unchanged: ${listed(kept)}.`] : [],
        changes: { nodes: changesOf(stored, [...managed, ...taken]) },
        queries: store.replacing([...managed, ...taken], now()),
      }
    },
  })

function changesOf(before: readonly Connection[], after: readonly Connection[]): ImportChanges['nodes'] {
  const show = ({ name, kind: type, host }: Connection) => ({ name, type, host })
  const come = after.map((one) => {
    const old = before.find(({ id }) => id === one.id)
    const isSame = old !== undefined && isDeepStrictEqual(toExported(old), toExported(one))
    return { ...show(one), change: isSame ? 'kept' : old ? 'changed' : 'added' } as const
  })
  const gone = before.filter(({ id }) => after.every((one) => one.id !== id))
  return [...come, ...gone.map((one) => ({ ...show(one), change: 'removed' as const }))]
}

/** All data about guests depends on the connection's id. A connection with a known address keeps its id. */
function idFor({ id, kind, host }: ExportedConnection, stored: readonly Connection[]): string {
  if (id !== undefined) {
    if (id.startsWith(`${kind}-`)) return id
    throw new AppError('validation_failed', 'another kind of node has this id')
  }
  const same = stored.find((one) => one.kind === kind && one.host === normalizeHost(host, kind))
  return same?.id ?? `${kind}-${randomBytes(6).toString('hex')}`
}

const marksOf = ({ id, kind, name, host }: Connection) => [
  `id ${id}`,
  `name ${name.toLowerCase()}`,
  `key ${connectionKey(kind, name).toLowerCase()}`,
  `${kind} ${host}`,
]

const isTwin = (one: Connection, other: Connection) => {
  const marks = marksOf(other)
  return marksOf(one).some((mark) => marks.includes(mark))
}

function refuseDuplicates(connections: readonly Connection[]): void {
  const seen = new Set<string>()
  for (const [n, connection] of connections.entries()) {
    for (const mark of marksOf(connection)) {
      if (seen.has(mark)) throw invalidFile(`connections[${n}]`, 'id, name or address appears twice')
      seen.add(mark)
    }
  }
}
