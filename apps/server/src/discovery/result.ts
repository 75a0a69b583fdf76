import type {
  DiscoveredServer,
  DiscoveryEnvironment,
  DiscoveryError,
  DiscoveryReply,
  LiveEvent,
} from '@pulse/contract'
import type { Clock } from '@pulse/domain'
import type { KnownServers } from './known.ts'
import { problemLine } from './problems.ts'

/** The result of one scan. */
export interface Result {
  servers: DiscoveredServer[]
  errors: DiscoveryError[]
  environment: DiscoveryEnvironment
  /** epoch seconds */
  endedAt: number
  /** the same moment by the monotonic clock */
  agesFrom: number
  /** the scan completed or reached its time limit, and was not cancelled */
  counts: boolean
}

type Known = Pick<KnownServers, 'has'>

/** Filtered on each request, because nodes are added and removed between scans. */
const unknown = (servers: readonly DiscoveredServer[], known: Known) =>
  servers.filter((server) => !known.has(server))

export function toReply(
  result: Result | undefined,
  { known, clock, cached, scanning }: { known: Known; clock: Clock; cached: boolean; scanning: boolean },
): DiscoveryReply {
  const { servers = [], errors = [], environment = null, endedAt = 0 } = result ?? {}
  const ageSeconds = result ? Math.floor((clock.monotonic() - result.agesFrom) / 1000) : 0
  return {
    servers: unknown(servers, known),
    errors: errors.map(problemLine),
    structured_errors: errors,
    environment,
    cached,
    scanning,
    updated: endedAt,
    timestamp: endedAt,
    ...(cached && { age: ageSeconds }),
  }
}

export function toUpdate(
  { servers, errors, environment, endedAt }: Result,
  known: Known,
  scanning: boolean,
): LiveEvent {
  return {
    type: 'discovery_update',
    data: {
      servers: unknown(servers, known),
      errors: errors.map(problemLine),
      structured_errors: errors,
      environment,
      scanning,
      timestamp: endedAt,
    },
  }
}
