import { getDeliveries, postWebhookTest, type WebhookTestInput } from '@pulse/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../../api/api.tsx'
import { ApiError } from '../../../../api/request.ts'
import { wordsOf } from '../../../../api/reason.ts'
import { useChange } from '../../../../api/use-change.ts'
import { MessageText } from '../../../../ui/message-text.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { toast } from '../../../../ui/toast.ts'
import { failureText } from '../use-test.ts'

/** The receiver's response, shown while the dialog is open. */
export function TestResult({ test }: { test: ReturnType<typeof useTestSend> }) {
  const { data, error } = test
  if (data) {
    return (
      <Notice tone="green" announce title={`Test accepted: status ${data.status}`}>
        <Answer text={data.response} />
      </Notice>
    )
  }
  if (!error) return null
  const { status, response } = answerOf(error)
  return (
    <Notice
      tone="red"
      announce
      title={status === undefined ? 'The test failed' : `Test failed: status ${status}`}
    >
      <p className="wrap-anywhere">
        <MessageText text={wordsOf(error, 'Unknown error')} />
      </p>
      <Answer text={response} />
    </Notice>
  )
}

function Answer({ text }: { text: string | undefined }) {
  if (!text) return null
  return (
    <pre className="mt-1 max-h-40 overflow-auto font-mono text-xs wrap-anywhere whitespace-pre-wrap">
      {text}
    </pre>
  )
}

function answerOf(error: Error): { status?: number; response?: string } {
  const body = (error instanceof ApiError ? (error.body ?? {}) : {}) as Record<string, unknown>
  const { status, response } = body
  return {
    ...(typeof status === 'number' && status > 0 && { status }),
    ...(typeof response === 'string' && { response }),
  }
}

/** Sends a test with the form's values. */
export function useTestSend(onFailed: (error: Error) => void) {
  const api = useApi()
  const queries = useQueryClient()
  return useChange({
    mutationFn: (body: WebhookTestInput) => api.call(postWebhookTest, { body }),
    onSuccess: () => toast.success('Test webhook sent successfully!'),
    onError(error) {
      toast.error(failureText('Failed to send test webhook', error))
      onFailed(error)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [getDeliveries.path] }),
  })
}
