import { getDiscovery, postDiscovery } from '@pulse/contract'
import type { Audit } from '../auth/audit.ts'
import type { DiscoveryArea } from './discovery.ts'
import { principalOf, route } from '../http/route.ts'

interface DiscoveryParts {
  discovery: DiscoveryArea
  audit: Pick<Audit, 'record'>
}

export const discoveryRoutes = ({ discovery, audit }: DiscoveryParts) => [
  route(getDiscovery, () => discovery.latest()),
  route(postDiscovery, async ({ body, identity, caller }) => {
    const reply = await discovery.scan(body)
    if (reply.cached || body.use_cache) return reply
    const target = reply.environment?.phases.flatMap(({ subnets }) => subnets).join(', ')
    await audit.record({ event: 'discovery_scan', by: principalOf({ identity }), caller, target })
    return reply
  }),
]
