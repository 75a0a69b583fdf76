import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useLeaveGuard } from '../../ui/router/use-leave-guard.ts'

interface UnsavedGuardProps {
  isDirty: boolean
  /** paths that keep the edits */
  stays: (path: string) => boolean
  isSaving?: boolean
  /** absent while the edits cannot be saved; resolves to whether all were saved */
  save?: ((then: (isSaved: boolean) => void) => void) | undefined
  /** for edits that outlive the page */
  discard?: () => void
}

/** Asks before navigation discards edits, and offers to save them. */
export function UnsavedGuard({
  isDirty,
  stays: isAllowed,
  isSaving = false,
  save,
  discard,
}: UnsavedGuardProps) {
  const leaving = useLeaveGuard({ isActive: isDirty, isSaving, isAllowed })
  return (
    <ConfirmDialog
      open={leaving.isBlocked}
      onClose={leaving.stay}
      title="Leave without saving?"
      action="Discard changes"
      busyAction="Discard changes"
      busy={isSaving}
      onConfirm={() => {
        leaving.leave()
        discard?.()
      }}
      also={
        save && (
          <Button
            variant="primary"
            disabled={isSaving}
            // the form shows why the save failed
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
