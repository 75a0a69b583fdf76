import { deleteUser, getUsers, putUser, type Role, type TokenChoice, type User } from '@pulse/contract'
import { UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../../../api/reason.ts'
import { useAnswer } from '../../../api/use-answer.ts'
import { Loaded } from '../../../parts/sections/loaded.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { DialogForm } from '../../../ui/dialog-form.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { SegmentedToggle } from '../../../ui/segmented-toggle.tsx'
import { toast } from '../../../ui/toast.ts'
import { useUserChange } from '../use-access-change.ts'
import { NewUserDialog } from './new-user-dialog.tsx'
import { roleChoices, roleNames } from './roles.ts'
import { UserPasswordDialog } from './user-password-dialog.tsx'
import { type UserAction, UserTable } from './user-table.tsx'
import { UserTokens } from './user-tokens.tsx'

export function UserPanel() {
  const users = useAnswer(getUsers)
  const [adding, setAdding] = useState(false)
  const [action, setAction] = useState<UserAction>()
  const close = () => setAction(undefined)
  const on = (kind: UserAction['kind']) => (action?.kind === kind ? action.user : undefined)
  return (
    <Panel
      title="Users"
      description="Administrators change settings; viewers see everything but the settings."
      flush
      action={
        <Button onClick={() => setAdding(true)}>
          <UserPlus aria-hidden size={14} />
          Add user
        </Button>
      }
    >
      <Loaded
        query={users}
        what="users"
        isEmpty={(data) => data.users.length === 0}
        empty={
          <EmptyState icon={<Users size={24} />} title="No users yet">
            Add one for each person who signs in with a password.
          </EmptyState>
        }
      >
        {(data) => <UserTable users={data.users} onAction={setAction} />}
      </Loaded>
      <NewUserDialog open={adding} onClose={() => setAdding(false)} />
      <UserRoleDialog user={on('role')} onClose={close} />
      <UserPasswordDialog user={on('password')} onClose={close} />
      <RemoveUserDialog user={on('remove')} onClose={close} />
    </Panel>
  )
}

interface RemoveUserDialogProps {
  user: User | undefined
  onClose: () => void
}

function RemoveUserDialog({ user, onClose }: RemoveUserDialogProps) {
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

interface UserRoleDialogProps {
  user: User | undefined
  onClose: () => void
}

function UserRoleDialog({ user, onClose }: UserRoleDialogProps) {
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
