import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'

interface UnsavedGuardProps {
  isDirty: boolean
  /** paths where the edits live on */
  stays: (path: string) => boolean
}

/** Whoever leaves edits behind is asked first. */
export function UnsavedGuard({ isDirty, stays }: UnsavedGuardProps) {
  const leaving = useBlocker({
    shouldBlockFn: ({ next }) => isDirty && !stays(next.pathname),
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      open={leaving.status === 'blocked'}
      onClose={() => leaving.reset?.()}
      title="Leave without saving?"
      action="Discard changes"
      busyAction="Discard changes"
      busy={false}
      onConfirm={() => leaving.proceed?.()}
    >
      <p>Your changes are not saved yet.</p>
    </ConfirmDialog>
  )
}
