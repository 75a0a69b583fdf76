import type { Diagnostics } from '@pulse/contract'
import { counting } from '@pulse/domain'
import type { Area } from '../area.ts'
import type { Audit } from '../auth/audit.ts'
import type { Database } from '../db/database.ts'
import { temperatureStore } from '../db/temperature.ts'
import type { OnSignal } from '../signal.ts'
import { temperaturesPart } from './export-part.ts'
import { fingerprintOf } from './host-keys.ts'
import { temperatureRoutes } from './routes.ts'
import { temperatureFunction } from './setup.ts'
import { createTemperatures, type TemperatureArea, type TemperatureEdges } from './temperatures.ts'

export interface TemperatureAreaEdges extends Omit<
  TemperatureEdges,
  'store' | 'connections' | 'stateNodes' | 'record' | 'fixed'
> {
  config: { temperatures: TemperatureEdges['fixed'] }
  db: Database
  audit: Pick<Audit, 'record'>
  connections: { list: TemperatureEdges['connections']; onChange: OnSignal }
  state: TemperatureEdges['state'] & { tables: { nodes: { values: TemperatureEdges['stateNodes'] } } }
}

export interface Temperatures extends Area, TemperatureArea {
  start(): Promise<void>
  stop(): Promise<void>
  /** for a script that sets a host up; making it may make a key */
  shellFunction(): Promise<string>
}

/** The temperatures of nodes, which their API does not tell. */
export function temperatureArea({
  config,
  db,
  connections,
  state,
  audit,
  ...edges
}: TemperatureAreaEdges): Temperatures {
  const fixed = config.temperatures
  const temperature = createTemperatures({
    ...edges,
    state,
    fixed,
    record: audit.record,
    store: temperatureStore(db),
    connections: connections.list,
    stateNodes: () => state.tables.nodes.values(),
  })
  connections.onChange(temperature.connectionsChanged)
  return {
    ...temperature,
    name: 'the temperatures',
    routes: temperatureRoutes(temperature),
    exportParts: [temperaturesPart(db, edges.clock.now, fixed)],
    caches: [{ ...temperature, tables: ['temperature_nodes'] }],
    diagnose: () => diagnoseTemperatures(temperature),
    shellFunction: async () => temperatureFunction(await temperature.setup([])),
  }
}

/** How reading the temperatures goes; the rest of the block is there for older clients. */
export function diagnoseTemperatures(
  temperature: Pick<TemperatureArea, 'nodes' | 'publicKey'>,
): Pick<Diagnostics, 'temperatureProxy' | 'temperatures'> {
  const temperatures = temperature.nodes()
  const publicKey = temperature.publicKey()
  const on = temperatures.filter(({ enabled }) => enabled)
  const dark = on.filter(({ status }) => status !== 'ok').length
  return {
    temperatureProxy: {
      legacySSHDetected: false,
      recommendProxyUpgrade: false,
      socketFound: false,
      proxyReachable: false,
      legacySshKeyCount: 0,
      ...(publicKey !== undefined && { proxyPublicKeySha256: fingerprintOf(publicKey) }),
      notes: [
        'There is no sensor proxy: temperatures are read over SSH with a restricted key.',
        ...(on.length === 0 ? ['Temperature reading is not enabled for any node.'] : []),
        ...(dark > 0
          ? [`${dark} of ${counting(on.length, 'node')} with temperatures switched on cannot be read.`]
          : []),
      ],
    },
    temperatures,
  }
}
