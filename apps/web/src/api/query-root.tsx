import type { QueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { useSession } from './session.tsx'

/** Keeps what pages asked the server for. It knows the library by type alone: that comes with the first page that asks. */
interface QueryHolder {
  owner: string | undefined
  /** made when it is first wanted */
  client(make: () => QueryClient): QueryClient
  /** Stores an answer that was fetched before a page asked for it. */
  setAnswer(path: string, answer: unknown): void
  /** Marks a stored answer as outdated. */
  invalidate(path: string): void
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
  const early = new Map<string, unknown>()
  return {
    owner,
    client(make) {
      if (held) return held
      held = make()
      for (const [path, answer] of early) held.setQueryData([path], answer)
      early.clear()
      return held
    },
    setAnswer(path, answer) {
      if (held) held.setQueryData([path], answer)
      else early.set(path, answer)
    },
    invalidate(path) {
      early.delete(path)
      void held?.invalidateQueries({ queryKey: [path] })
    },
  }
}

export function useQueryHolder(): QueryHolder {
  const holder = useContext(HolderContext)
  if (!holder) throw new Error('QueryRoot is missing')
  return holder
}
