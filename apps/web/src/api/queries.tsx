import { getAudit } from '@pulse/contract'
import { MutationCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useQueryHolder } from './query-root.tsx'

/** Around a page that asks the server for more than what is live; all such pages share what they were told. */
export function Queries({ children }: { children: ReactNode }) {
  const holder = useQueryHolder()
  return (
    // what is on the page watches the client it was drawn with
    <QueryClientProvider key={holder.owner ?? ''} client={holder.client(createQueries)}>
      {children}
    </QueryClientProvider>
  )
}

function createQueries(): QueryClient {
  const queries = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: 30_000 } },
    mutationCache: new MutationCache({
      // every change, and every refused one, leaves a record
      onSettled: () => void queries.invalidateQueries({ queryKey: [getAudit.path] }),
    }),
  })
  return queries
}
