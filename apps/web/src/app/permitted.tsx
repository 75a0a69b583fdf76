import type { ReactNode } from 'react'
import { useSession } from '../api/session.tsx'
import { NoRights } from '../parts/live-page/states.tsx'
import type { Page } from './routes.ts'

/** A page for administrators tells everybody else so. The server decides all the same. */
export function Permitted({ page, children }: { page: Page | undefined; children: ReactNode }) {
  const { isAdmin } = useSession()
  if (isAdmin || page?.adminTo === undefined) return children
  return (
    <div className="py-3">
      <h1 className="sr-only">{page.label}</h1>
      <NoRights to={page.adminTo} />
    </div>
  )
}
