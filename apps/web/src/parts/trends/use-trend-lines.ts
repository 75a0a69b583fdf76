import { getHistoryTrends, type RecordKind, trendPoints } from '@pulse/contract'
import { useQueries } from '@tanstack/react-query'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { useApi } from '../../api/api.tsx'
import { wordsOf } from '../../api/reason.ts'
import { levelsOf, readTrends, type Trends } from './lines.ts'
import type { TrendSource } from './trend-table.ts'

const intervalMs = 60_000

interface Call {
  kind: RecordKind
  /** names, separated by commas */
  fields: string
}

/** Loads the trends of these fields, again every minute while the page is visible. */
export function useTrendLines(sources: readonly TrendSource[], fields: ReadonlySet<string>) {
  const api = useApi()
  const isVisible = useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible')
  const calls = useMemo(() => sources.flatMap((source) => callsFor(source, fields)), [sources, fields])
  const { loaded, error } = useQueries({
    queries: calls.map((query) => ({
      queryKey: [getHistoryTrends.path, query.kind, query.fields],
      queryFn: ({ signal }: { signal: AbortSignal }) => api.call(getHistoryTrends, { query, signal }),
      select: readTrends,
      structuralSharing: false,
      refetchInterval: intervalMs,
      enabled: isVisible,
    })),
    combine: withoutFailed,
  })

  const lineOf = useCallback(
    (key: string, field: string) => {
      const colon = key.indexOf(':')
      const kind = sources.find(({ rows }) => rows === key.slice(0, colon))?.kind
      for (const [at, call] of calls.entries()) {
        const trends = call.kind === kind ? loaded[at] : undefined
        const levels = trends && levelsOf(trends, key.slice(colon + 1), field)
        if (levels) return levels
      }
      return undefined
    },
    [sources, calls, loaded],
  )
  return { lineOf, failure: error && wordsOf(error, 'no answer') }
}

/** The server answers a few figures at a time. */
function callsFor({ kind, fields }: TrendSource, shown: ReadonlySet<string>): Call[] {
  const wanted = fields.filter((field) => shown.has(field))
  const calls: Call[] = []
  for (let at = 0; at < wanted.length; at += trendPoints.mostFields)
    calls.push({ kind, fields: wanted.slice(at, at + trendPoints.mostFields).join(',') })
  return calls
}

/** Lines that could not be loaded again are not of the last hour any more. */
const withoutFailed = (results: readonly { data: Trends | undefined; error: Error | null }[]) => ({
  loaded: results.map(({ data, error }) => (error ? undefined : data)),
  error: results.find(({ error }) => error)?.error ?? undefined,
})

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
