import { deleteUser, type TokenChoice, type User } from '@pulse/contract'
import { useState } from 'react'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { failureOf } from '../../../api/reason.ts'
import { UserTokens } from './user-tokens.tsx'
import { useUserChange } from './use-user-change.ts'

interface RemoveUserDialogProps {
  user: User | undefined
  onClose: () => void
}

export function RemoveUserDialog({ user, onClose }: RemoveUserDialogProps) {
  const [tokens, setTokens] = useState<TokenChoice>('end')
  const remove = useUserChange(
    (api, { id }: User) => api.call(deleteUser, { params: { id }, query: { tokens } }),
    (_reply, { name }) => {
      toast.success(`User ${name} removed`)
      setTokens('end')
      onClose()
    },
  )
  const close = () => {
    remove.reset()
    setTokens('end')
    onClose()
  }
  return (
    <ConfirmDialog
      open={user !== undefined}
      onClose={close}
      title="Remove user"
      action="Remove user"
      busyAction="Removing..."
      busy={remove.isPending}
      onConfirm={() => user && remove.mutate(user)}
      failure={failureOf('Failed to remove user', remove.error)}
    >
      <p>
        <span className="font-medium break-all text-ink">{user?.name}</span> can no longer sign in and is
        signed out everywhere.
        {user?.source === 'oidc' && ' A user who can still sign in at the provider is added again.'}
      </p>
      {user?.role === 'admin' && <UserTokens user={user} choice={tokens} onChoose={setTokens} />}
    </ConfirmDialog>
  )
}
