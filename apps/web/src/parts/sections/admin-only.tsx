import type { ReactNode } from 'react'
import { useSession } from '../../api/session.tsx'
import { Notice } from '../../ui/notice.tsx'

interface AdminOnlyProps {
  children: ReactNode
  /** why administrator access is needed, as in `to run diagnostics` */
  to: string
}

/** For administrators; everybody else reads why there is nothing to see. The server decides all the same. */
export function AdminOnly({ children, to }: AdminOnlyProps) {
  const { isAdmin } = useSession()
  if (isAdmin) return children
  return (
    <Notice title={`You need administrator access ${to}.`}>
      Sign in with an administrator account, then open this page again.
    </Notice>
  )
}
