import {
  deleteWebhook,
  getDeliveries,
  getWebhooks,
  getWebhookTemplates,
  postWebhook,
  putWebhook,
  type Webhook,
  type WebhookChange,
  type WebhookInput,
} from '@pulse/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../../api/api.tsx'
import { wordsOf } from '../../../../api/reason.ts'
import { useChange } from '../../../../api/use-change.ts'
import { log } from '../../../../lib/log.ts'
import { toast } from '../../../../ui/toast.ts'

export function useWebhooks() {
  const api = useApi()
  return useQuery({
    queryKey: [getWebhooks.path],
    queryFn: ({ signal }) =>
      api.call(getWebhooks, { signal }).catch((error: unknown) => {
        if (!signal.aborted) log.warn('The webhooks could not be loaded', error)
        throw error
      }),
    refetchOnMount: 'always',
  })
}

export function useTemplates() {
  const api = useApi()
  return useQuery({
    queryKey: [getWebhookTemplates.path],
    queryFn: ({ signal }) => api.call(getWebhookTemplates, { signal }),
    staleTime: Infinity,
  })
}

interface Changed<Input, Reply> {
  call: (input: Input) => Promise<Reply>
  done: string
  failed: string
}

/** Changes the list of webhooks; a toast shows the result. */
function useWebhookChange<Input, Reply>({ call, done, failed }: Changed<Input, Reply>) {
  const queries = useQueryClient()
  return useChange({
    mutationFn: call,
    onSuccess: () => {
      toast.success(done)
      void queries.invalidateQueries({ queryKey: [getDeliveries.path] })
      return queries.invalidateQueries({ queryKey: [getWebhooks.path] })
    },
    onError: (error) => toast.error(wordsOf(error, failed)),
  })
}

export function useAddWebhook() {
  const api = useApi()
  return useWebhookChange({
    call: (body: WebhookInput) => api.call(postWebhook, { body }),
    done: 'Webhook added successfully',
    failed: 'Failed to add webhook',
  })
}

export function useUpdateWebhook({ id }: Pick<Webhook, 'id'>) {
  const api = useApi()
  return useWebhookChange({
    call: (body: WebhookChange) => api.call(putWebhook, { params: { id }, body }),
    done: 'Webhook updated successfully',
    failed: 'Failed to update webhook',
  })
}

export function useDeleteWebhook() {
  const api = useApi()
  return useWebhookChange({
    call: ({ id }: Pick<Webhook, 'id'>) => api.call(deleteWebhook, { params: { id } }),
    done: 'Webhook deleted successfully',
    failed: 'Failed to delete webhook',
  })
}
