import * as z from 'zod/mini'
import { bodyLimits, endpoint, readsSettings, writesSettings } from '../endpoint.ts'
import { NodeChange, NodeConfig, NodeInput, NodeTestInput } from '../sources.ts'

const nodeParams = z.object({ id: z.string().check(z.minLength(1), z.maxLength(64)) })
const Saved = z.object({ status: z.literal('success'), id: z.string() })

export const NodeTest = z.object({
  status: z.enum(['success', 'error']),
  message: z.string(),
  /** the host's own name, suggested when none was entered */
  name: z.optional(z.string()),
  isCluster: z.optional(z.boolean()),
  clusterName: z.optional(z.string()),
  nodeCount: z.optional(z.number()),
  clusterNodeCount: z.optional(z.number()),
  /** for a backup server: datastores that the account can see */
  datastoreCount: z.optional(z.number()),
  version: z.optional(z.string()),
  release: z.optional(z.string()),
  /** milliseconds */
  latency: z.optional(z.number()),
  /** SHA-256 of the received certificate, upper-case pairs with colons */
  fingerprint: z.optional(z.string()),
  /** failed because that certificate is not trusted; an administrator must compare and accept it */
  untrusted: z.optional(z.boolean()),
  /** missing permissions, and the data that needs them */
  warnings: z.optional(z.array(z.string())),
})
export type NodeTest = z.infer<typeof NodeTest>

export const getNodes = endpoint({
  ...readsSettings,
  path: '/api/config/nodes',
  reply: z.array(NodeConfig),
})

export const postNode = endpoint({
  ...writesSettings,
  method: 'POST',
  path: '/api/config/nodes',
  audit: 'node_added',
  body: NodeInput,
  bodyLimit: bodyLimits.nodes,
  reply: Saved,
  status: 201,
})

export const putNode = endpoint({
  ...writesSettings,
  method: 'PUT',
  path: '/api/config/nodes/:id',
  audit: 'node_changed',
  params: nodeParams,
  body: NodeChange,
  bodyLimit: bodyLimits.nodes,
  reply: Saved,
})

export const deleteNode = endpoint({
  ...writesSettings,
  method: 'DELETE',
  path: '/api/config/nodes/:id',
  audit: 'node_removed',
  params: nodeParams,
  reply: z.object({ status: z.literal('success') }),
})

export const postTestConnection = endpoint({
  ...writesSettings,
  method: 'POST',
  path: '/api/config/nodes/test-connection',
  audit: 'connection_tested',
  auditFailures: true,
  body: NodeTestInput,
  bodyLimit: bodyLimits.nodes,
  reply: NodeTest,
})

export const postNodeTest = endpoint({
  ...writesSettings,
  method: 'POST',
  path: '/api/config/nodes/:id/test',
  audit: 'connection_tested',
  auditFailures: true,
  params: nodeParams,
  reply: NodeTest,
})
