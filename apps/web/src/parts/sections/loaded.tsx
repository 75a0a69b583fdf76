import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isRefused, reasonOf } from '../../api/reason.ts'
import { LoadFailed, LoadingRows } from '../../ui/panel.tsx'

interface LoadedProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>
  /** name of the data, as in `users`, for the texts */
  what: string
  /** number of placeholder rows while loading */
  count?: number
  /** for a signed-in user without permission */
  refusal?: string
  isEmpty?: (data: Data) => boolean
  /** shown for an empty answer */
  empty?: ReactNode
  children: (data: Data) => ReactNode
}

/** Renders the data of a query, or its loading, error or empty state. Used inside a Panel. */
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
