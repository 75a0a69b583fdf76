import { type Admission, type Decision, type Gate, pass } from '../dispatch.ts'
import { acknowledged } from './acknowledged.ts'
import { activation } from './activation.ts'
import { cooldown } from './cooldown.ts'
import { expired } from './expired.ts'
import { flapping } from './flapping.ts'
import { hourlyCap } from './hourly-cap.ts'
import { quietHours } from './quiet-hours.ts'

/** The order is policy: the first that objects gives the reason that is shown. */
export const gates: readonly Gate[] = [
  expired,
  activation,
  acknowledged,
  quietHours,
  flapping,
  cooldown,
  hourlyCap,
]

export function admit(admission: Admission): Decision {
  for (const { name, decide } of gates) {
    const objection = decide(admission)
    if (objection) return { ...objection, gate: name }
  }
  return pass
}
