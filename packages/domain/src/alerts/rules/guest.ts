import { type AlertMetric, figures, type Guest, metricsOfKind, thresholdValue } from '@pulse/contract'
import { reportsFileSystems } from '../../file-systems.ts'
import { isBeyond, judgeMetric } from '../metric.ts'
import type { Judging, Rule, Subject } from '../judging.ts'
import { activityOf, idleReason, unknownReason } from './guest-activity.ts'
import { estimateHold } from './estimate.ts'
import { fileSystems } from './file-systems.ts'
import { delayTypes } from '../delays.ts'
import { poweredOff } from './powered-off.ts'

const delays = delayTypes.guest
/** The disk comes last, before its file systems. */
const inOrder = [...metricsOfKind.guests.filter((metric) => metric !== 'disk'), 'disk'] as const
/** stored flag: whether a memory estimate counts */
const memoryEstimate = 'memory as an estimate'

const metrics: Rule<Guest> = {
  name: 'guest-metrics',
  judge(guest, on) {
    if (!on.isWatched && !isWorthALook(guest, on)) return
    const idle = idleReason(guest)
    const busy = idle === undefined ? undefined : activityOf(guest)
    // A backup that stopped the guest also restarts it, so its figures are held, not off.
    const facts = {
      off: busy === undefined ? idle : undefined,
      held: busy ?? unknownReason(guest),
    }
    for (const metric of inOrder)
      judgeMetric(on, metric, delays, figures.guests[metric], guest, factsOf(metric, guest, on, facts))
  },
}

/** Fast path: most guests have no bad figure. */
function isWorthALook(guest: Guest, on: Judging): boolean {
  const { thresholds } = on.policy
  if (guest.status !== 'running') return false
  return (
    // Whether an estimate counts depends on its earlier values.
    guest.memory?.estimate !== undefined ||
    on.recall(memoryEstimate) !== undefined ||
    metricsOfKind.guests.some((metric) =>
      isBeyond(thresholds[metric], thresholdValue(figures.guests[metric], guest)),
    )
  )
}

interface Facts {
  off: string | undefined
  held: string | undefined
}

function factsOf(metric: AlertMetric, guest: Guest, on: Judging, facts: Facts): Facts {
  if (metric === 'memory') {
    // Evaluated even when the figure is held for another reason: it stores the flag.
    const estimate = estimateHold(on, memoryEstimate, guest.memory, on.policy.thresholds.memory?.trigger ?? 0)
    return { ...facts, held: facts.held ?? estimate }
  }
  return metric === 'disk' ? { ...facts, off: facts.off ?? fileSystemsReason(guest) } : facts
}

/** A guest that reports its file systems has an alert for each. An alert for the sum would be a duplicate. */
const fileSystemsReason = (guest: Guest): string | undefined =>
  reportsFileSystems(guest) ? 'Its file systems are evaluated one by one.' : undefined

export const guests: Subject<'guests'> = {
  kind: 'guests',
  settings: 'guests',
  resource: ({ id, name, node, instance, type }) => ({
    id,
    name,
    node,
    instance,
    type: type === 'qemu' ? 'VM' : 'Container',
  }),
  rules: [metrics, fileSystems, poweredOff],
}
