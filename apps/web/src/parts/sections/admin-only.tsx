import type { ReactNode } from 'react'
import { useSession } from '../../api/session.tsx'
import { Notice } from '../../ui/notice.tsx'

interface AdminOnlyProps {
  children: ReactNode
  /** why administrator access is needed, as in `to run diagnostics` */
  to: string
}

/** Content for administrators. Other users get the reason instead. The server enforces the permission. */
export function AdminOnly({ children, to }: AdminOnlyProps) {
  const { isAdmin } = useSession()
  if (isAdmin) return children
  return (
    <Notice title={`You need administrator access ${to}.`}>
      Sign in with an administrator account, then open this page again.
    </Notice>
  )
}
