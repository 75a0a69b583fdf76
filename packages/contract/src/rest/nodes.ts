import * as z from 'zod/mini'
import { bodyLimits, endpoint, readsSettings, writesSettings } from '../endpoint.ts'
import { NodeChange, NodeConfig, NodeInput, NodeTestInput } from '../sources.ts'

const nodeParams = z.object({ id: z.string().check(z.minLength(1), z.maxLength(64)) })
const Saved = z.object({ status: z.literal('success'), id: z.string() })

export const NodeTest = z.object({
  status: z.enum(['success', 'error']),
  message: z.string(),
  /** the host's own, proposed when none was entered */
  name: z.optional(z.string()),
  isCluster: z.optional(z.boolean()),
  clusterName: z.optional(z.string()),
  nodeCount: z.optional(z.number()),
  clusterNodeCount: z.optional(z.number()),
  /** of a backup server: those that the account can see */
  datastoreCount: z.optional(z.number()),
  version: z.optional(z.string()),
  release: z.optional(z.string()),
  /** milliseconds */
  latency: z.optional(z.number()),
  /** of the certificate that was shown, SHA-256, upper-case pairs with colons */
  fingerprint: z.optional(z.string()),
  /** it failed because that certificate is not trusted: it is for a person to compare and accept */
  untrusted: z.optional(z.boolean()),
  /** rights the account lacks and what stays dark without them */
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
