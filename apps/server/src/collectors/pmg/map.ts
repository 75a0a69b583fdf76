import type { NodeTest } from '@pulse/contract'

const auditorMissing = 'the account lacks the role Auditor: queues, nodes and statistics stay unknown'

export function toNodeTest({
  version: { version, release },
  nodes,
  mayAudit,
  latency,
}: {
  version: { version?: string | undefined; release?: string | undefined }
  /** absent where the account may not list them */
  nodes: readonly unknown[] | undefined
  mayAudit: boolean
  latency: number
}): NodeTest {
  return {
    status: 'success',
    message: mayAudit ? 'Connection successful' : 'Connection successful, but some rights are missing',
    isCluster: false,
    ...(nodes && { nodeCount: nodes.length }),
    ...(version !== undefined && { version }),
    ...(release !== undefined && { release }),
    latency,
    ...(!mayAudit && { warnings: [auditorMissing] }),
  }
}
