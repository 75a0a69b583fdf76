import { type BodyOf, getDeliveries, postNotificationTest } from '@pulse/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../api/api.tsx'
import { wordsOf } from '../../../api/reason.ts'
import { useChange } from '../../../api/use-change.ts'
import { toast } from '../../../ui/toast.ts'

interface TestTexts {
  passed: string
  failed: string
}

/** Sends a real message to the real destination; a toast shows the result. */
export function useTest(texts: TestTexts, onFailed?: (error: Error) => void) {
  const api = useApi()
  const queries = useQueryClient()
  const test = useChange({
    mutationFn: (body: BodyOf<typeof postNotificationTest>) => api.call(postNotificationTest, { body }),
    onSuccess: () => toast.success(texts.passed),
    onError(error) {
      toast.error(failureText(texts.failed, error))
      onFailed?.(error)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [getDeliveries.path] }),
  })
  return { run: (body: BodyOf<typeof postNotificationTest>) => test.mutate(body), isRunning: test.isPending }
}

/** What failed, and why if known. */
export const failureText = (what: string, error: unknown): string =>
  `${what}: ${wordsOf(error, 'Unknown error')}`
