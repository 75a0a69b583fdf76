import type { GuestMetadata, GuestMetadataInput, NodeChange, NodeConfig } from '@pulse/contract'
import type { Connection } from '@pulse/domain'
import { AppError } from '../app-error.ts'
import type { DeclaredNode } from '../start/declared/check.ts'

const locked = (what: string, fileName: string) =>
  new AppError('locked_by_environment', `${what} is fixed by ${fileName}. Change it there and restart Pulse.`)

/** The calls that a lock affects. */
export interface LockableNodes {
  list(): NodeConfig[]
  nameOf(id: string): string
  change(id: string, input: NodeChange): Promise<string | undefined>
  remove(id: string): Promise<void>
}

export interface LockableLinks {
  get(guestId: string): Promise<GuestMetadata>
  put(guestId: string, input: GuestMetadataInput): Promise<GuestMetadata>
  remove(guestId: string): Promise<void>
}

/** Locks the nodes that the file declares. */
export interface NodeLocks {
  add(id: string): void
  /** Wraps the connections so that locked ones cannot be changed. */
  around<C extends LockableNodes>(connections: C): C
  /** True if the file declares this connection; then no import changes it. */
  isDeclared(connection: Pick<Connection, 'kind' | 'name' | 'host'>): boolean
}

export function nodeLocks(nodes: readonly DeclaredNode[], fileName: string): NodeLocks {
  const ids = new Set<string>()
  return {
    add: (id) => void ids.add(id),
    isDeclared: ({ kind, name, host }) =>
      nodes.some((node) => node.kind === kind && (isSameName(node.name, name) || node.host === host)),
    around(connections) {
      function refuse(id: string) {
        if (ids.has(id)) throw locked(connections.nameOf(id), fileName)
      }
      return {
        ...connections,
        list: () =>
          connections
            .list()
            .map((node) => (ids.has(node.id) ? Object.assign(node, { managed: true }) : node)),
        async change(id: string, input: NodeChange) {
          refuse(id)
          return connections.change(id, input)
        },
        async remove(id: string) {
          refuse(id)
          await connections.remove(id)
        },
      }
    },
  }
}

/** Locks the links that the file declares. */
export interface LinkLocks {
  /** Starts locking. */
  close(): void
  around<M extends LockableLinks>(metadata: M): M
}

export function linkLocks(urls: ReadonlyMap<string, string>, fileName: string): LinkLocks {
  let isClosed = false
  return {
    close: () => void (isClosed = true),
    around(metadata) {
      async function refuse(guestId: string) {
        if (!isClosed) return
        const ids = await Promise.all(
          [guestId, ...urls.keys()].map(async (one) => (await metadata.get(one)).id),
        )
        if (!urls.has(guestId) && !ids.slice(1).includes(ids[0]!)) return
        throw locked(`The link of ${guestId}`, fileName)
      }
      return {
        ...metadata,
        async put(guestId: string, input: GuestMetadataInput) {
          await refuse(guestId)
          return metadata.put(guestId, input)
        },
        async remove(guestId: string) {
          await refuse(guestId)
          await metadata.remove(guestId)
        },
      }
    },
  }
}

const isSameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
