import type { SystemSettings } from '@pulse/contract'
import type { Area } from '../area.ts'
import type { Audit } from '../auth/audit.ts'
import type { OnSignal } from '../signal.ts'
import { createDiscovery, type DiscoveryEdges } from './discovery.ts'
import { systemNames } from './names.ts'
import { discoveryRoutes } from './routes.ts'

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
    routes: discoveryRoutes({ discovery, audit }),
    start: discovery.start,
    stop: discovery.stop,
  }
}
