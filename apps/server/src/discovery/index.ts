import { getDiscovery, postDiscovery, type SystemSettings } from '@pulse/contract'
import type { Area } from '../area.ts'
import type { Audit } from '../auth/audit.ts'
import { principalOf, route } from '../http/route.ts'
import type { OnSignal } from '../signal.ts'
import { createDiscovery, type DiscoveryEdges } from './discovery.ts'
import { systemNames } from './names.ts'

export interface DiscoveryAreaEdges extends Omit<DiscoveryEdges, 'settings' | 'nodes' | 'names'> {
  settings: { current(): SystemSettings; onChange: OnSignal<[SystemSettings, SystemSettings]> }
  connections: { list: DiscoveryEdges['nodes']; onChange: OnSignal }
  audit: Pick<Audit, 'record'>
}

/** Looks for hosts that are not added yet. */
export function discoveryArea({ settings, connections, audit, ...edges }: DiscoveryAreaEdges): Area {
  const discovery = createDiscovery({
    ...edges,
    settings: settings.current,
    nodes: connections.list,
    names: systemNames,
  })
  settings.onChange(discovery.settingsChanged)
  connections.onChange(discovery.nodesChanged)
  return {
    name: 'discovery',
    routes: [
      route(getDiscovery, () => discovery.latest()),
      route(postDiscovery, async ({ body, identity, caller }) => {
        const reply = await discovery.scan(body)
        if (reply.cached || body.use_cache) return reply
        const target = reply.environment?.phases.flatMap(({ subnets }) => subnets).join(', ')
        await audit.record({ event: 'discovery_scan', by: principalOf({ identity }), caller, target })
        return reply
      }),
    ],
    isLed: true,
    lead: discovery.start,
    stop: discovery.stop,
  }
}
