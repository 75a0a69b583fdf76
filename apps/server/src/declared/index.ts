import path from 'node:path'
import type { Logger } from 'pino'
import type { Area } from '../area.ts'
import type { Audit } from '../auth/audit.ts'
import { toNodeConfig } from '../node-config/show.ts'
import { connectionStore } from '../db/connections.ts'
import type { Database } from '../db/database.ts'
import type { SettingsStore } from '../db/settings.ts'
import type { Declared } from '../start/declared/check.ts'
import type { Vault } from '../seal.ts'
import { linkLocks, type LinkLocks, type LockableLinks, nodeLocks, type NodeLocks } from './locks.ts'
import { applyNodes, type DeclaredConnections, planNodes } from './nodes.ts'
import { inFileError } from '../start/declared/problem.ts'

/** The part of the configuration that comes from pulse.yaml. */
interface DeclaredConfig {
  declared: Declared | undefined
}

export interface DeclaredLocksEdges {
  config: DeclaredConfig
  db: Database
  vault: Vault
}

export interface DeclaredLocks extends Area {
  nodes: NodeLocks
  links: LinkLocks
}

/** The locks on the values in pulse.yaml. The start fails when the file contradicts the stored data. */
export function declaredLocks({ config, db, vault }: DeclaredLocksEdges): DeclaredLocks {
  const { file, fileName, nodes, urls } = partsOf(config.declared)
  const stored = connectionStore(db, vault)
  return {
    name: 'what pulse.yaml fixes',
    nodes: nodeLocks(nodes, fileName),
    links: linkLocks(urls, fileName),
    start: () =>
      inThisFile(file, async () => {
        const connections = await stored.all()
        planNodes(
          nodes,
          connections.map((connection) => toNodeConfig(connection, undefined)),
        )
      }),
  }
}

export interface DeclaredEdges {
  config: DeclaredConfig
  locks: DeclaredLocks
  connections: DeclaredConnections
  metadata: Pick<LockableLinks, 'get' | 'put'>
  store: SettingsStore
  audit: Pick<Audit, 'record'>
  log: Logger
}

/** Applies pulse.yaml to nodes and links after these areas have started. */
export function declaredArea({ config, locks, metadata, audit, ...edges }: DeclaredEdges): Area {
  const { file, fileName, nodes, urls } = partsOf(config.declared)
  return {
    name: 'what pulse.yaml declares',
    lead: () =>
      inThisFile(file, async () => {
        await applyNodes({ ...edges, record: audit.record, nodes, fileName, locks: locks.nodes })
        await applyLinks(urls, metadata, locks.links)
      }),
  }
}

function partsOf(declared: Declared | undefined) {
  const file = declared?.file ?? 'pulse.yaml'
  return {
    file,
    fileName: path.basename(file),
    nodes: declared?.nodes ?? [],
    urls: declared?.guestUrls ?? new Map<string, string>(),
  }
}

async function inThisFile(file: string, job: () => Promise<void>) {
  try {
    await job()
  } catch (error) {
    throw inFileError(file, error)
  }
}

/** Applies the file's links, and locks them. */
export async function applyLinks(
  urls: ReadonlyMap<string, string>,
  metadata: Pick<LockableLinks, 'get' | 'put'>,
  locks: LinkLocks,
): Promise<void> {
  for (const [guestId, customUrl] of urls) {
    if ((await metadata.get(guestId)).customUrl !== customUrl) await metadata.put(guestId, { customUrl })
  }
  locks.close()
}
