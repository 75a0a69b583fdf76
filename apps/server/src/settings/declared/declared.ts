import path from 'node:path'
import type { Logger } from 'pino'
import type { AuditEntry } from '../../auth/audit.ts'
import type { ConnectionArea } from '../../connections/connections.ts'
import { toNodeConfig } from '../../connections/show.ts'
import type { ConnectionStore } from '../../db/connections.ts'
import type { SettingsStore } from '../../db/settings.ts'
import type { GuestMetadataArea } from '../../guests/metadata.ts'
import type { Declared } from './check.ts'
import { declaredLinks } from './links.ts'
import { declaredNodes } from './nodes.ts'
import { inFileError } from './problem.ts'

export interface DeclaredEdges {
  declared: Declared | undefined
  connections: ConnectionArea
  connectionStore: Pick<ConnectionStore, 'all'>
  metadata: GuestMetadataArea
  store: SettingsStore
  record: (entry: AuditEntry) => Promise<void>
  log: Logger
}

/** The areas as they were, in which what pulse.yaml declares cannot be changed. */
export interface DeclaredArea {
  connections: ConnectionArea
  metadata: GuestMetadataArea
  /** Before anything has started: throws StartupError when the file contradicts what is stored. */
  check(): Promise<void>
  /** Once the connections have started: makes nodes and links what the file says. */
  apply(): Promise<void>
}

export function createDeclared(edges: DeclaredEdges): DeclaredArea {
  const { declared, connections, connectionStore, metadata, store, record, log } = edges
  const file = declared?.file ?? 'pulse.yaml'
  const fileName = path.basename(file)
  const nodes = declaredNodes({
    nodes: declared?.nodes ?? [],
    fileName,
    connections,
    store,
    record,
    log,
  })
  const links = declaredLinks({
    urls: declared?.guestUrls ?? new Map(),
    fileName,
    metadata,
  })
  async function inThisFile(job: () => Promise<void>) {
    try {
      await job()
    } catch (error) {
      throw inFileError(file, error)
    }
  }

  return {
    connections: nodes.connections,
    metadata: links.metadata,
    check: () =>
      inThisFile(async () => {
        const stored = await connectionStore.all()
        nodes.check(stored.map((connection) => toNodeConfig(connection, undefined)))
      }),
    apply: () =>
      inThisFile(async () => {
        await nodes.apply()
        await links.apply()
      }),
  }
}
