import { getDeliveries, postWebhookTest, type WebhookTrial } from '@pulse/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../../api/api.tsx'
import { useChange } from '../../../../api/use-change.ts'
import { toast } from '../../../../ui/toast.ts'
import { failureText } from '../use-test.ts'

/** A test with what stands in the form. */
export function useTrial(onFailed: (error: Error) => void) {
  const api = useApi()
  const queries = useQueryClient()
  return useChange({
    mutationFn: (body: WebhookTrial) => api.call(postWebhookTest, { body }),
    onSuccess: () => toast.success('Test webhook sent successfully!'),
    onError(error) {
      toast.error(failureText('Failed to send test webhook', error))
      onFailed(error)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [getDeliveries.path] }),
  })
}
