import { getAudit } from '@pulse/contract'
import { MutationCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useQueryHolder } from './query-root.tsx'

/** Provides queries to a page that needs more than live data. All pages share one cache. */
export function Queries({ children }: { children: ReactNode }) {
  const holder = useQueryHolder()
  return (
    // the key remounts the page, because its queries observe the client they started with
    <QueryClientProvider key={holder.owner ?? ''} client={holder.client(createQueries)}>
      {children}
    </QueryClientProvider>
  )
}

function createQueries(): QueryClient {
  const queries = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: 30_000 } },
    mutationCache: new MutationCache({
      // every change, refused or not, adds an audit record
      onSettled: () => void queries.invalidateQueries({ queryKey: [getAudit.path] }),
    }),
  })
  return queries
}
