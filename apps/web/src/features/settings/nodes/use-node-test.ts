import { type NodeInput, postNodeTest, postTestConnection } from '@pulse/contract'
import { useApi } from '../../../api/api.tsx'
import { useChange } from '../../../api/use-change.ts'
import { failedOutcome, outcomeOf, type TestOutcome } from './test-outcome.ts'

/** A stored connection by its id, or one that is not stored yet. */
export type TestTarget = { id: string } | { input: NodeInput }

export function useNodeTest(onDone?: (outcome: TestOutcome) => void) {
  const api = useApi()
  const test = useChange({
    mutationFn: (target: TestTarget) =>
      'id' in target
        ? api.call(postNodeTest, { params: { id: target.id } })
        : api.call(postTestConnection, { body: target.input }),
    onSuccess: (reply) => onDone?.(outcomeOf(reply)),
    onError: (error) => onDone?.(failedOutcome(error)),
  })
  return {
    run: test.mutate,
    reset: test.reset,
    isRunning: test.isPending,
    outcome: test.data ? outcomeOf(test.data) : test.error ? failedOutcome(test.error) : undefined,
    target: test.variables,
  }
}
