import type { Area } from '../area.ts'
import type { Audit } from '../auth/audit.ts'
import type { Database } from '../db/database.ts'
import { temperatureStore } from '../db/temperature.ts'
import type { OnSignal } from '../signal.ts'
import { diagnoseTemperatures } from './diagnose.ts'
import { temperaturesPart } from './export-part.ts'
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
