import { isEqual } from '@pulse/domain'
import { formatNumber } from '../../lib/format.ts'
import type { LiveReader } from '../../live/store.ts'
import { useLive } from '../../live/use-live.ts'

const snapshots = 'guest snapshots'

/** Progress of sources that have not yet asked every guest for snapshots: guests done, of all guests. */
function selectReading(live: LiveReader): { done: number; of: number } | undefined {
  const all = [...live.records('sources').values()].flatMap(({ reading = [] }) =>
    reading.filter(({ what }) => what === snapshots),
  )
  if (all.length === 0) return undefined
  return all.reduce((sum, one) => ({ done: sum.done + one.done, of: sum.of + one.of }), { done: 0, of: 0 })
}

/** Progress text of the first round. Until it ends, snapshots may be missing from the list. */
export function useReading(): string | undefined {
  const reading = useLive(['sources'], selectReading, isEqual)
  if (!reading || reading.of === 0) return reading && 'Reading snapshots'
  return `Reading snapshots, ${formatNumber(reading.done)} of ${formatNumber(reading.of)} guests`
}
