import type { Node, NodeSensors, NodeTemperature } from '@pulse/contract'
import type { Derivation } from './derivation.ts'

/**
 * The PVE API does not report temperatures. They come from the node's own sensors, under the node's identity.
 */
export function nodeTemperature(): Derivation {
  const temperatures = new Map<string, NodeTemperature>()
  return {
    reads: ['nodeSensors'],
    completes: ['nodes'],
    note(_kind, id, record, touch) {
      if (record) temperatures.set(id, (record as NodeSensors).temperature)
      else temperatures.delete(id)
      touch('nodes', id)
    },
    complete(_kind, id, record) {
      const temperature = temperatures.get(id)
      return temperature ? { ...(record as Node), temperature } : record
    },
  }
}
