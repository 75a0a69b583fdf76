import { type Diagnostics, getDiagnostics } from '@pulse/contract'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../api/api.tsx'
import { readText } from '../../../parts/setup/credentials-file.ts'
import { toast } from '../../../ui/toast.ts'

export interface DiagnosticsRun {
  result: Diagnostics
  /** RFC 3339; may be before the request, because the server caches a run */
  madeAt: string
}

export interface DiagnosticsState {
  run: DiagnosticsRun | undefined
  error: Error | null
  isRunning: boolean
  start: () => void
}

/**
 * Runs only on request. The result lasts until the user leaves the settings; a run survives leaving this
 * page.
 */
export function useDiagnostics(): DiagnosticsState {
  const api = useApi()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [getDiagnostics.path],
    enabled: false,
    gcTime: Infinity,
    queryFn: async () => readRun(await api.send(getDiagnostics.path)),
  })
  const start = async () => {
    const { isError } = await refetch()
    if (isError) toast.error('Failed to run diagnostics')
  }
  return { run: data, error, isRunning: isFetching, start: () => void start() }
}

export async function readRun(answer: Response, now = Date.now()): Promise<DiagnosticsRun> {
  const result = JSON.parse(await readText(answer)) as Diagnostics
  return { result, madeAt: answer.headers.get('X-Diagnostics-Cached-At') ?? new Date(now).toISOString() }
}
