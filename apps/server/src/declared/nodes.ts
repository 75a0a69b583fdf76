import type { NodeConfig, NodeInput } from '@pulse/contract'
import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { AppError } from '../app-error.ts'
import type { AuditEntry } from '../auth/audit.ts'
import { newConnection } from '../node-config/input.ts'
import { toNodeConfig } from '../node-config/show.ts'
import type { SettingsStore } from '../db/settings.ts'
import type { DeclaredNode } from '../start/declared/check.ts'
import type { LockableNodes, NodeLocks } from './locks.ts'
import { DeclaredProblem } from '../start/declared/problem.ts'

export interface DeclaredConnections extends Pick<LockableNodes, 'list' | 'change'> {
  /** Resolves to the new id. */
  add(input: NodeInput): Promise<string>
}

export interface DeclaredNodesEdges {
  nodes: readonly DeclaredNode[]
  /** for messages */
  fileName: string
  connections: DeclaredConnections
  locks: NodeLocks
  store: Pick<SettingsStore, 'read' | 'write'>
  record: (entry: AuditEntry) => Promise<void>
  log: Logger
}

const storeKey = 'declared'
/** Digests of the nodes at the last start. A node that is unchanged since then is not written again. */
const Applied = z.record(z.string(), z.string())

/** Throws when a declared node conflicts with an existing one. */
export function planNodes(nodes: readonly DeclaredNode[], existing: readonly NodeConfig[]) {
  const plan = nodes.map((node) => ({ node, id: findId(node, existing) }))
  for (const { node, id } of plan) refuseConflict(node, id, existing, plan)
  return plan
}

/** Adds and changes the declared nodes, and locks them. */
export async function applyNodes(edges: DeclaredNodesEdges): Promise<void> {
  const { nodes, fileName, connections, locks, store, record, log } = edges
  const existing = connections.list()
  const text = await store.read(storeKey)
  const before = text === undefined ? {} : Applied.parse(JSON.parse(text))
  const after: Record<string, string> = {}
  for (const { node, id: known } of planNodes(nodes, existing)) {
    const digest = digestOf(node)
    const isDone = known !== undefined && before[known] === digest && looksSame(node, known, existing)
    const id = await bring(node, known, isDone)
    after[id] = digest
    locks.add(id)
  }
  if (JSON.stringify(after) !== JSON.stringify(before)) await store.write(storeKey, JSON.stringify(after))

  async function bring(node: DeclaredNode, id: string | undefined, isDone: boolean): Promise<string> {
    if (id !== undefined && isDone) return id
    const event = id === undefined ? 'node_added' : 'node_changed'
    try {
      if (id === undefined) id = await connections.add(node.input())
      else await connections.change(id, node.input())
    } catch (error) {
      if (error instanceof AppError) throw new DeclaredProblem(node.at, error.message)
      throw error
    }
    log.info({ source: node.name, file: fileName }, 'declared node updated')
    await record({ event, by: { name: fileName, method: 'console' }, target: node.name })
    return id
  }
}

/** Finds a node by its name, or by its address if it was renamed in the file. */
function findId({ kind, name, host }: DeclaredNode, existing: readonly NodeConfig[]): string | undefined {
  const same = existing.filter((node) => node.type === kind)
  const byName = same.find((node) => node.name.toLowerCase() === name.toLowerCase())
  return (byName ?? same.find((node) => node.host === host))?.id
}

function refuseConflict(
  { at, kind, name, host }: DeclaredNode,
  id: string | undefined,
  existing: readonly NodeConfig[],
  plan: readonly { node: DeclaredNode; id: string | undefined }[],
) {
  const twin = plan.find((other) => id !== undefined && other.id === id && other.node.at !== at)
  if (twin) throw new DeclaredProblem(at, `This is the same node as ${twin.node.at}.`)
  for (const other of existing) {
    if (other.id === id) continue
    if (other.name.toLowerCase() === name.toLowerCase()) {
      throw new DeclaredProblem(`${at}.name`, `A node with another type or address already has this name.`)
    }
    if (id === undefined && other.type === kind && hostsOf(other).includes(host)) {
      throw new DeclaredProblem(`${at}.host`, `This host is already monitored by "${other.name}".`)
    }
  }
}

const hostsOf = ({ host, clusterEndpoints = [] }: NodeConfig) => [
  host,
  ...clusterEndpoints.map((e) => e.Host),
]

const digestOf = (node: DeclaredNode) =>
  createHash('sha256').update(JSON.stringify(node.input())).digest('base64')

/**
 * Compares everything but the secret, which the digest covers. The node may have been changed outside the
 * file.
 */
function looksSame(node: DeclaredNode, id: string, existing: readonly NodeConfig[]): boolean {
  const found = existing.find((other) => other.id === id)!
  const {
    status: _status,
    isCluster: _isCluster,
    ...wanted
  } = toNodeConfig(newConnection(id, node.input()), undefined)
  return Object.entries(wanted).every(([key, value]) => found[key as keyof NodeConfig] === value)
}
