import type { Memory } from '@pulse/contract'
import type { Judging } from '../judging.ts'
import { boundedDoubt } from './doubt.ts'

/**
 * Why an estimated figure does not count. When the agent stops answering, for instance during a backup, the
 * figure jumps because its origin changes, not the load. An estimate counts only after it was below the
 * trigger once. `name`: the stored flag.
 */
export function estimateHold(
  on: Judging,
  name: string,
  figures: Memory | undefined,
  trigger: number,
): string | undefined {
  const isArmed = on.recall<true>(name) === true
  const since = `${name} since`
  if (figures?.estimate === undefined) {
    if (isArmed) on.keep(name, undefined)
    return boundedDoubt(on, since, undefined)
  }
  if (isArmed && figures.estimate !== 'agent-pending') return undefined
  if (figures.usage < trigger) {
    if (figures.estimate === 'agent-pending') return 'Its agent has not answered yet.'
    on.keep(name, true)
    return boundedDoubt(on, since, undefined)
  }
  return boundedDoubt(
    on,
    since,
    figures.estimate === 'agent-pending'
      ? 'Its agent has not answered yet, and the estimate may count caches.'
      : 'Its agent does not answer, and the estimate in its place may count caches.',
  )
}
