import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { useLeaveGuard } from '../ui/router/use-leave-guard.ts'

interface UnsavedGuardProps {
  isDirty: boolean
  /** paths where the edits live on */
  stays: (path: string) => boolean
}

/** Whoever leaves edits behind is asked first. */
export function UnsavedGuard({ isDirty, stays }: UnsavedGuardProps) {
  const leaving = useLeaveGuard({ isActive: isDirty, stays })
  return (
    <ConfirmDialog
      open={leaving.isHeld}
      onClose={leaving.stay}
      title="Leave without saving?"
      action="Discard changes"
      busyAction="Discard changes"
      busy={false}
      onConfirm={leaving.leave}
    >
      <p>Your changes are not saved yet.</p>
    </ConfirmDialog>
  )
}
