import { useRef } from 'react'
import { type NodeInput, postNodeTest, postTestConnection } from '@pulse/contract'
import { useApi } from '../../../api/api.tsx'
import { useChange } from '../../../api/use-change.ts'
import { failedOutcome, outcomeOf, type TestOutcome } from './test-outcome.ts'

/** A stored connection by id, or an unsaved one, optionally saved after a successful test. */
export type TestTarget = { id: string } | { input: NodeInput; thenSave?: boolean }

export function useNodeTest(onDone?: (outcome: TestOutcome, target: TestTarget) => void) {
  const api = useApi()
  /** answers for other targets are dropped */
  const asked = useRef<TestTarget>(undefined)
  const test = useChange({
    mutationFn: (target: TestTarget) =>
      'id' in target
        ? api.call(postNodeTest, { params: { id: target.id } })
        : api.call(postTestConnection, { body: target.input }),
    onSuccess: (reply, target) => asked.current === target && onDone?.(outcomeOf(reply), target),
    onSettled: (_reply, _error, target) => {
      if (asked.current === target) asked.current = undefined
    },
    onError: (error, target) => asked.current === target && onDone?.(failedOutcome(error), target),
  })
  return {
    run(target: TestTarget) {
      asked.current ??= target
      test.mutate(target)
    },
    reset() {
      asked.current = undefined
      test.reset()
    },
    isRunning: test.isPending,
    error: test.error,
    outcome: test.data ? outcomeOf(test.data) : test.error ? failedOutcome(test.error) : undefined,
    target: test.variables,
  }
}
