import type { AlertBound } from './alert-bound.ts'
import type { Condition, Moment } from './condition.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { TrackedConditions } from './tracked.ts'

export const alertLimitId = 'alert-limit'

/** Displaces surplus alerts. One alert reports how many are not listed. */
export function keepWithinBound(lifecycle: Lifecycle, tracked: TrackedConditions, at: Moment): void {
  const { bound } = lifecycle
  for (let one = bound.surplus(); one; one = bound.surplus()) lifecycle.displace(one, at)
  const { count } = bound.refused
  const known = tracked.get(alertLimitId)
  // after a start the count is unknown until the first evaluation
  if (!known?.condition && count === 0) return
  const one = known ?? tracked.add({ ...untracked, stamp: 0, steps: [] })
  lifecycle.step(one, conditionOf(bound), { at, isAnswer: false, isSettings: false, apartMs: 0 })
  tracked.dropIfWell(one)
}

/** It belongs to no record, so removing a record does not end it. */
const untracked = { id: alertLimitId, kind: 'sources', record: '', source: '', rule: alertLimitId } as const

function conditionOf({ refused: { count, level }, limits }: AlertBound): Condition {
  const number = (figure: number) => figure.toLocaleString('en-US')
  return {
    id: alertLimitId,
    type: alertLimitId,
    verdict: count > 0 ? 'bad' : 'fine',
    resource: { id: 'pulse', name: 'Pulse', node: '', instance: 'Pulse', type: 'Pulse' },
    value: count,
    threshold: 0,
    level,
    message: `And ${number(count)} more: Pulse lists ${number(limits.ofSource)} alerts per source and ${number(limits.inAll)} in total, the most severe first`,
  }
}
