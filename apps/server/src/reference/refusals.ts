import type { Endpoint, ErrorCode } from '@pulse/contract'
import { statusOf } from '../app-error.ts'

/** Error codes that follow from the declaration of a call. */
export function refusalsOf(endpoint: Endpoint): ErrorCode[] {
  const { method, access, audit, rate, params, query } = endpoint
  const changes = method !== 'GET'
  const isOpen = access === 'public'
  return [
    'bad_request' as const,
    ...when(params || query || changes, 'validation_failed'),
    ...when(changes, 'invalid_json'),
    ...when(!isOpen, 'authentication_required', 'forbidden'),
    ...when(changes, 'csrf_failed', 'origin_refused', 'demo_mode'),
    'request_timeout' as const,
    ...when(changes, 'payload_too_large', 'unsupported_media_type'),
    ...when(rate !== 'exempt', 'rate_limit'),
    'headers_too_large' as const,
    'internal_error' as const,
    'database_restarting' as const,
    'database_unavailable' as const,
    'leader_unavailable' as const,
    ...when(changes && audit !== 'none', 'storage_unavailable'),
  ]
}

const when = (holds: unknown, ...codes: ErrorCode[]) => (holds ? codes : [])

/** Grouped by status, sorted. */
export function byStatus(codes: readonly ErrorCode[]): [number, ErrorCode[]][] {
  const groups = Map.groupBy([...new Set(codes)].toSorted(), (code) => statusOf[code])
  return [...groups].toSorted(([a], [b]) => a - b)
}
