import type { User } from '@pulse/contract'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { actionsColumn, type RecordColumn, RecordTable } from '../../../parts/table/record-table.tsx'
import { When } from '../when.tsx'
import { roleNames } from './roles.ts'

export interface UserAction {
  kind: 'role' | 'password' | 'remove'
  user: User
}

interface UserTableProps {
  users: readonly User[]
  onAction: (action: UserAction) => void
}

export function UserTable({ users, onAction }: UserTableProps) {
  const columns: readonly RecordColumn<User>[] = [
    {
      header: 'Name',
      cell: ({ name }) => <span className="inline-block font-medium wrap-anywhere sm:min-w-36">{name}</span>,
      phone: { slot: 'name' },
    },
    { header: 'Role', cell: (user) => <RoleBadge user={user} />, phone: { slot: 'badge' } },
    { header: 'Source', cell: ({ source, managed }) => (managed ? 'pulse.yaml' : sourceNames[source]) },
    { header: 'Created', cell: ({ createdAt }) => <When time={createdAt} /> },
    {
      header: 'Last sign-in',
      cell: ({ lastLoginAt }) => <When time={lastLoginAt} />,
      phone: {
        slot: 'figure',
        label: 'Last sign-in',
        draw: ({ lastLoginAt }) => <When time={lastLoginAt} never="never" inline="ago" />,
      },
    },
    actionsColumn((user) => <Actions user={user} onAction={onAction} />),
  ]
  return <RecordTable label="Users" columns={columns} rows={users} keyOf={({ id }) => id} minWidth={860} />
}

const sourceNames: Record<User['source'], string> = {
  local: 'Local',
  environment: 'Environment',
  oidc: 'Single sign-on',
}

const RoleBadge = ({ user: { role } }: { user: User }) => (
  <Badge tone={role === 'admin' ? 'accent' : 'neutral'}>{roleNames[role]}</Badge>
)

function Actions({ user, onAction }: { user: User; onAction: (action: UserAction) => void }) {
  if (user.source === 'environment') {
    return <span className="text-xs text-ink-2">Fixed by PULSE_AUTH_USER and PULSE_AUTH_PASS</span>
  }
  if (user.managed) return <span className="text-xs text-ink-2">Fixed by pulse.yaml</span>
  const button = (kind: UserAction['kind'], text: string, label: string) => (
    <Button aria-label={`${label} ${user.name}`} onClick={() => onAction({ kind, user })}>
      {text}
    </Button>
  )
  return (
    <span className="inline-flex flex-wrap gap-1.5 sm:flex-nowrap">
      {user.source === 'local' && button('role', 'Role', 'Change role of')}
      {user.source === 'local' && button('password', 'Password', 'Set password of')}
      {button('remove', 'Remove', 'Remove')}
    </span>
  )
}
