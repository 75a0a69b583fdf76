import type { NodeTemperature } from '@pulse/contract'
import { aliasOf } from './targets.ts'
import type { Watch } from './watch.ts'

/** The newest readings: there before those who show them, and before those who take them. */
export interface TemperatureReadings {
  watches: Map<string, Watch>
  /** undefined while there is none that can be trusted */
  of(connectionId: string, node: string): NodeTemperature | undefined
}

export function temperatureReadings(): TemperatureReadings {
  const watches = new Map<string, Watch>()
  return { watches, of: (connectionId, node) => watches.get(aliasOf({ connectionId, node }))?.current() }
}
