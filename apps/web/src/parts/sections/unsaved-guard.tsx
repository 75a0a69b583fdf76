import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useLeaveGuard } from '../../ui/router/use-leave-guard.ts'

interface UnsavedGuardProps {
  isDirty: boolean
  /** paths where the edits live on */
  stays: (path: string) => boolean
  isSaving?: boolean
  /** absent while they cannot be saved; says whether all of it was */
  save?: ((then: (isSaved: boolean) => void) => void) | undefined
}

/** Before edits are left behind the user is asked, and can save them there. */
export function UnsavedGuard({ isDirty, stays, isSaving = false, save }: UnsavedGuardProps) {
  const leaving = useLeaveGuard({ isActive: isDirty, stays })
  return (
    <ConfirmDialog
      open={leaving.isHeld}
      onClose={leaving.stay}
      title="Leave without saving?"
      action="Discard changes"
      busyAction="Discard changes"
      busy={isSaving}
      onConfirm={leaving.leave}
      also={
        save && (
          <Button
            variant="primary"
            disabled={isSaving}
            // what could not be saved is shown where it was edited
            onClick={() => save((isSaved) => (isSaved ? leaving.leave() : leaving.stay()))}
          >
            {isSaving ? 'Saving...' : 'Save changes'}
          </Button>
        )
      }
    >
      <p>Your changes are not saved yet.</p>
    </ConfirmDialog>
  )
}
