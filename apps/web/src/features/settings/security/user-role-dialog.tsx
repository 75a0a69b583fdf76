import { putUser, type Role, type TokenChoice, type User } from '@pulse/contract'
import { useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogForm } from '../../../ui/dialog-form.tsx'
import { SegmentedToggle } from '../../../ui/segmented-toggle.tsx'
import { toast } from '../../../ui/toast.ts'
import { failureOf } from '../../../api/reason.ts'
import { roleChoices, roleNames } from './roles.ts'
import { UserTokens } from './user-tokens.tsx'
import { useUserChange } from './use-user-change.ts'

interface UserRoleDialogProps {
  user: User | undefined
  onClose: () => void
}

export function UserRoleDialog({ user, onClose }: UserRoleDialogProps) {
  return (
    <Dialog open={user !== undefined} onClose={onClose} title="Change role" description={user?.name}>
      {user && <RoleForm key={user.id} user={user} onClose={onClose} />}
    </Dialog>
  )
}

function RoleForm({ user, onClose }: { user: User; onClose: () => void }) {
  const [role, setRole] = useState(user.role)
  const [tokens, setTokens] = useState<TokenChoice>('end')
  const change = useUserChange(
    (api, wanted: Role) =>
      api.call(putUser, {
        params: { id: user.id },
        body: { role: wanted, ...(wanted === 'viewer' && { tokens }) },
      }),
    (changed) => {
      toast.success(`${changed.name} is now ${roleNames[changed.role].toLowerCase()}`)
      onClose()
    },
  )
  return (
    <DialogForm
      onSubmit={() => change.mutate(role)}
      onCancel={onClose}
      action="Change role"
      busyAction="Changing..."
      busy={change.isPending}
      incomplete={role === user.role}
      failure={failureOf('Failed to change role', change.error)}
    >
      <div className="flex flex-col items-start gap-3">
        <SegmentedToggle label="Role" value={role} options={roleChoices} onChange={setRole} />
        <p className="text-xs text-ink-2">The user is signed out everywhere when the role changes.</p>
        {user.role === 'admin' && role === 'viewer' && (
          <UserTokens user={user} choice={tokens} onChoose={setTokens} />
        )}
      </div>
    </DialogForm>
  )
}
