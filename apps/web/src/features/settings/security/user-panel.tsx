import { getUsers } from '@pulse/contract'
import { useQuery } from '@tanstack/react-query'
import { UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../../api/api.tsx'
import { Loaded } from '../../../parts/sections/loaded.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { NewUserDialog } from './new-user-dialog.tsx'
import { RemoveUserDialog } from './remove-user-dialog.tsx'
import { UserPasswordDialog } from './user-password-dialog.tsx'
import { UserRoleDialog } from './user-role-dialog.tsx'
import { type UserAction, UserTable } from './user-table.tsx'

export function UserPanel() {
  const api = useApi()
  const users = useQuery({
    queryKey: [getUsers.path],
    queryFn: ({ signal }) => api.call(getUsers, { signal }),
  })
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
