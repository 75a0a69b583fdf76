import { deleteAlertHistory, getAlertHistory } from '@pulse/contract'
import { useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../../api/api.tsx'
import { useChange } from '../../../api/use-change.ts'
import { log } from '../../../lib/log.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toast.ts'

/** For good; whoever presses it is asked first. */
export function ClearHistory() {
  const api = useApi()
  const queries = useQueryClient()
  const [asks, setAsks] = useState(false)
  const clear = useChange({
    mutationFn: () => api.call(deleteAlertHistory),
    onSuccess: () => queries.invalidateQueries({ queryKey: [getAlertHistory.path] }),
    onError(error) {
      log.warn('The alert history could not be cleared', error)
      toast.error('Error clearing alert history. Please check your connection and try again.')
    },
    onSettled: () => setAsks(false),
  })
  return (
    <>
      <Button onClick={() => setAsks(true)} className="border-red text-red hover:bg-red-soft">
        <Trash2 aria-hidden size={14} />
        Clear All History
      </Button>
      <ConfirmDialog
        open={asks}
        onClose={() => setAsks(false)}
        title="Clear all alert history?"
        action="Clear All History"
        busyAction="Clearing..."
        busy={clear.isPending}
        onConfirm={() => clear.mutate()}
      >
        <p>This permanently deletes all historical alert data and cannot be undone.</p>
      </ConfirmDialog>
    </>
  )
}
