import { putAlertConfig } from '@pulse/contract'
import { useQueryClient } from '@tanstack/react-query'
import { BellOff } from 'lucide-react'
import { useApi } from '../../../api/api.tsx'
import { useSession } from '../../../api/session.tsx'
import { wordsOf } from '../../../api/reason.ts'
import { useChange } from '../../../api/use-change.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { toast } from '../../../ui/toast.ts'
import { configKey } from '../config-edits.tsx'

/** `enabled` of the configuration is off, which only the API and imports set. */
export function EvaluationOff() {
  const { isAdmin } = useSession()
  const api = useApi()
  const queries = useQueryClient()
  const { isPending, mutate } = useChange({
    mutationFn: () => api.call(putAlertConfig, { body: { enabled: true } }),
    onError: (error) => toast.error(wordsOf(error, 'Failed to save configuration')),
    onSettled: () => queries.invalidateQueries({ queryKey: configKey }),
  })
  return (
    <Card aria-label="Active alerts">
      <EmptyState
        title="Alert evaluation is off"
        icon={<BellOff size={24} />}
        action={
          isAdmin && (
            <Button variant="primary" disabled={isPending} onClick={() => mutate()}>
              Turn on evaluation
            </Button>
          )
        }
      >
        The alert configuration has enabled set to false: no condition is checked.
      </EmptyState>
    </Card>
  )
}
