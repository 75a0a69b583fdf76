import { getNodes, type NodeConfig } from '@pulse/contract'
import { useQueryClient } from '@tanstack/react-query'
import { toast } from '../../../ui/toast.ts'
import type { TestOutcome } from './test-outcome.ts'
import { type TestTarget, useNodeTest } from './use-node-test.ts'

const toastMs = { passed: 4_000, failed: 8_000 } as const

/** The test of a stored connection, told by a toast. */
export function useCardTest(id: string) {
  const queries = useQueryClient()
  const test = useNodeTest(tell)
  return {
    ...test,
    run(target: TestTarget) {
      const nodes = queries.getQueryData<NodeConfig[]>([getNodes.path])
      if (nodes?.some((node) => node.id === id)) test.run(target)
      else toast.error('Node not found', toastMs.failed)
    },
  }
}

function tell({ ok, message }: TestOutcome) {
  if (ok) toast.success(message, toastMs.passed)
  else toast.error(message, toastMs.failed)
}
