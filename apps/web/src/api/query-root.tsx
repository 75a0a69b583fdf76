import type { QueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { useSession } from './session.tsx'

/**
 * Holds the query client. It imports the library as a type only: the code loads with the first page that
 * queries.
 */
interface QueryHolder {
  owner: string | undefined
  /** created at the first call */
  client(make: () => QueryClient): QueryClient
  /** Caches an answer that was fetched before a page queries it. */
  setAnswer(path: string, answer: unknown): void
  /** Marks a stored answer as outdated. */
  invalidate(path: string): void
}

const HolderContext = createContext<QueryHolder | undefined>(undefined)

/** Provides the query holder. Each user gets a new one, so that no answers of an earlier user remain. */
export function QueryRoot({ children }: { children: ReactNode }) {
  const { user } = useSession()
  const owner = user && `${user.role} ${user.name}`
  const holder = useMemo(() => newHolder(owner), [owner])
  return <HolderContext value={holder}>{children}</HolderContext>
}

function newHolder(owner: string | undefined): QueryHolder {
  let queries: QueryClient | undefined
  const early = new Map<string, unknown>()
  return {
    owner,
    client(make) {
      if (queries) return queries
      queries = make()
      for (const [path, answer] of early) queries.setQueryData([path], answer)
      early.clear()
      return queries
    },
    setAnswer(path, answer) {
      if (queries) queries.setQueryData([path], answer)
      else early.set(path, answer)
    },
    invalidate(path) {
      early.delete(path)
      void queries?.invalidateQueries({ queryKey: [path] })
    },
  }
}

export function useQueryHolder(): QueryHolder {
  const holder = useContext(HolderContext)
  if (!holder) throw new Error('QueryRoot is missing')
  return holder
}
