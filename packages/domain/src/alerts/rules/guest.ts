import type { Guest } from '@pulse/contract'
import { isBeyond, judgeMetric } from '../metric.ts'
import type { Judging, Rule, Subject } from '../judging.ts'
import { activityOf, idleReason, unknownReason } from './guest-activity.ts'
import { estimateHold } from './estimate.ts'
import { fileSystems } from './file-systems.ts'
import { delayTypes } from '../delays.ts'
import { poweredOff } from './powered-off.ts'

const delays = delayTypes.guest
const rates = ['diskRead', 'diskWrite', 'networkIn', 'networkOut'] as const
/** where it is kept whether an estimate of the memory counts */
const memoryEstimate = 'memory as an estimate'
const bytesPerMegabyte = 1_048_576

const metrics: Rule<Guest> = {
  name: 'guest-metrics',
  judge(guest, on) {
    if (!on.isWatched && !isWorthALook(guest, on)) return
    const idle = idleReason(guest)
    const busy = idle === undefined ? undefined : activityOf(guest)
    // What is switched off by a backup comes back, and its figures with it.
    const facts = {
      off: busy === undefined ? idle : undefined,
      held: busy ?? unknownReason(guest),
    }
    judgeMetric(on, 'cpu', delays, guest.cpu === undefined ? undefined : guest.cpu * 100, facts)
    judgeMemory(guest, on, facts)
    for (const metric of rates) {
      const rate = guest[metric]
      judgeMetric(on, metric, delays, rate === undefined ? undefined : rate / bytesPerMegabyte, facts)
    }
    judgeDisk(guest, on, facts)
  },
}

/** Thousands of guests are well all the while. */
function isWorthALook(guest: Guest, on: Judging): boolean {
  const { thresholds } = on.policy
  if (guest.status !== 'running') return false
  return (
    isBeyond(thresholds.cpu, guest.cpu === undefined ? undefined : guest.cpu * 100) ||
    // Whether an estimate counts depends on what it was before.
    guest.memory?.estimate !== undefined ||
    on.recall(memoryEstimate) !== undefined ||
    isBeyond(thresholds.memory, guest.memory?.usage) ||
    isBeyond(thresholds.disk, guest.disk?.usage) ||
    rates.some((metric) => isBeyond(thresholds[metric], (guest[metric] ?? 0) / bytesPerMegabyte))
  )
}

interface Facts {
  off: string | undefined
  held: string | undefined
}

function judgeMemory({ memory: figures }: Guest, on: Judging, { off, held }: Facts) {
  const trigger = on.policy.thresholds.memory?.trigger ?? 0
  const doubt =
    estimateHold(on, memoryEstimate, figures, trigger) ??
    (figures?.staleSince === undefined ? undefined : 'The figure is old.')
  judgeMetric(on, 'memory', delays, figures?.usage, { off, held: held ?? doubt })
}

/** The file systems of a guest that tells them are judged one by one: the sum would say the same twice. */
function judgeDisk(guest: Guest, on: Judging, { off, held }: Facts) {
  const isTold =
    guest.disks?.some(({ usage, staleSince }) => usage !== undefined && staleSince === undefined) ?? false
  judgeMetric(on, 'disk', delays, guest.disk?.usage, {
    off: off ?? (isTold ? 'Its file systems are judged one by one.' : undefined),
    held: held ?? (guest.disk?.staleSince === undefined ? undefined : 'The figure is old.'),
  })
}

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
