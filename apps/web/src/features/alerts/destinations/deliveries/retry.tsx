import { type Delivery, getDeliveries, postDeliveryRetry } from '@pulse/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../../api/api.tsx'
import { useChange } from '../../../../api/use-change.ts'
import { Button } from '../../../../ui/button.tsx'
import { toast } from '../../../../ui/toast.ts'
import { failureText } from '../use-test.ts'
import { aboutText, canRetry } from './texts.ts'

/** Sends one again, where that makes sense. */
export function Retry({ delivery }: { delivery: Delivery }) {
  const api = useApi()
  const queries = useQueryClient()
  const retry = useChange({
    mutationFn: () => api.call(postDeliveryRetry, { params: { id: delivery.id } }),
    onSuccess: () => toast.success(`The message to ${delivery.channelName} is sent again`),
    onError: (error) => toast.error(failureText('Failed to send the message again', error)),
    onSettled: () => queries.invalidateQueries({ queryKey: [getDeliveries.path] }),
  })
  if (!canRetry(delivery)) return null
  return (
    <Button
      disabled={retry.isPending}
      aria-label={`Retry: ${aboutText(delivery)} to ${delivery.channelName}`}
      onClick={() => retry.mutate()}
      className="h-7"
    >
      Retry
    </Button>
  )
}
