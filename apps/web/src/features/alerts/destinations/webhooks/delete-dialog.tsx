import type { Webhook } from '@pulse/contract'
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx'
import { useDeleteWebhook } from './use-webhooks.ts'

interface DeleteDialogProps {
  /** undefined: nothing is asked */
  of: Webhook | undefined
  onClose: () => void
}

export function DeleteDialog({ of, onClose }: DeleteDialogProps) {
  const deletion = useDeleteWebhook()
  return (
    <ConfirmDialog
      open={of !== undefined}
      onClose={onClose}
      title="Delete webhook?"
      action="Delete Webhook"
      busyAction="Deleting..."
      busy={deletion.isPending}
      onConfirm={() => of && deletion.mutate(of, { onSettled: onClose })}
    >
      <p className="wrap-anywhere">
        Nothing is sent to <strong className="font-medium text-ink">{of?.name}</strong> any more, and its
        address and secrets are forgotten.
      </p>
    </ConfirmDialog>
  )
}
