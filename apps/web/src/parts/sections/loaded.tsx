import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isRefused, reasonOf } from '../../api/reason.ts'
import { LoadFailed, LoadingRows } from '../../ui/panel.tsx'

interface LoadedProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>
  /** what is asked for, as in `users`: it is being loaded, or failed to load */
  what: string
  /** rows that stand in until the answer is there */
  count?: number
  /** for a signed-in user without permission */
  refusal?: string
  isEmpty?: (data: Data) => boolean
  /** stands in for an answer that holds nothing */
  empty?: ReactNode
  children: (data: Data) => ReactNode
}

/** What a call answers, and until then, or instead, why there is nothing to see. Stands inside a Panel. */
export function Loaded<Data>(props: LoadedProps<Data>) {
  const { query, what, count = 3, refusal, isEmpty, empty, children } = props
  const { data, error } = query
  return (
    <>
      {error && (
        <LoadFailed
          {...(refusal !== undefined && isRefused(error)
            ? { title: refusal }
            : { title: `Failed to load ${what}`, reason: reasonOf(error) })}
          onRetry={() => void query.refetch()}
        />
      )}
      {data === undefined && !error && <LoadingRows label={`Loading ${what}`} count={count} />}
      {data !== undefined && (isEmpty?.(data) ? empty : children(data))}
    </>
  )
}
