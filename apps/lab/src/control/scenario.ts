import type { Fault, FaultSpec } from '../faults/faults.ts'
import type { World } from '../world.ts'
import type { ApplianceControl } from './appliances.ts'
import { ControlError } from './check.ts'
import type { DockerControl } from './docker.ts'
import type { GuestControl } from './guests.ts'
import type { ClusterControl } from './clusters.ts'

export type Steering = GuestControl &
  ClusterControl &
  ApplianceControl &
  DockerControl & { addFault(spec: FaultSpec): Fault }

export interface Scenario {
  about: string
  /** In the first cluster, on the first or last machine to which the scenario can apply. */
  play(control: Steering, world: World): void | Promise<void>
}

export function some<T>(list: readonly T[], what: string): readonly T[] {
  if (list.length === 0) throw new ControlError(409, `this lab has no ${what}`)
  return list
}
