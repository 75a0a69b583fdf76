import type { QueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { useSession } from './session.tsx'

/** Keeps what pages asked the server for. It knows the library by type alone: that comes with the first page that asks. */
interface QueryHolder {
  owner: string | undefined
  /** made when it is first wanted */
  client(make: () => QueryClient): QueryClient
}

const HolderContext = createContext<QueryHolder | undefined>(undefined)

/** Around all pages. What one person saw is gone when the next one signs in. */
export function QueryRoot({ children }: { children: ReactNode }) {
  const { user } = useSession()
  const owner = user && `${user.role} ${user.name}`
  const holder = useMemo(() => newHolder(owner), [owner])
  return <HolderContext value={holder}>{children}</HolderContext>
}

function newHolder(owner: string | undefined): QueryHolder {
  let held: QueryClient | undefined
  return { owner, client: (make) => (held ??= make()) }
}

export function useQueryHolder(): QueryHolder {
  const holder = useContext(HolderContext)
  if (!holder) throw new Error('QueryRoot is missing')
  return holder
}
