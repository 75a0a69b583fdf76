import type { Memory } from '@pulse/contract'
import type { Judging } from '../judging.ts'

/**
 * Why a figure that is an estimate does not count. That it jumps when the agent falls silent, as it does during a
 * backup, is the change of its origin and no load: it counts from when it was seen below the trigger as an estimate. `name`: where
 * that is kept.
 */
export function estimateHold(
  on: Judging,
  name: string,
  figures: Memory | undefined,
  trigger: number,
): string | undefined {
  const isArmed = on.recall<true>(name) === true
  if (figures?.estimate === undefined) {
    if (isArmed) on.keep(name, undefined)
    return undefined
  }
  if (figures.estimate === 'agent-pending')
    return 'Its agent has not told yet, and the estimate may count caches.'
  if (isArmed) return undefined
  if (figures.usage < trigger) {
    on.keep(name, true)
    return undefined
  }
  return 'Its agent is silent, and the estimate in its place may count caches.'
}
