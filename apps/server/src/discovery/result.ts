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

/** What one scan brought. */
export interface Result {
  servers: DiscoveredServer[]
  errors: DiscoveryError[]
  environment: DiscoveryEnvironment
  /** epoch seconds */
  endedAt: number
  /** the same moment by the monotonic clock */
  agesFrom: number
  /** it ended by itself or by its time limit, not because it was cancelled */
  counts: boolean
}

type Known = Pick<KnownServers, 'has'>

/** Filtered when it is shown: between scans nodes are added and removed. */
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
