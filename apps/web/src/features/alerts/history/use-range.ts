import { useMemo } from 'react'
import { readTimes } from '../../../lib/times.ts'
import { useAddress } from '../../../ui/router/use-address.ts'
import type { TimeRange } from './shown-rows.ts'

/** The filtered range, as `from` and `to` in the address. */
export function useRange(): [TimeRange | undefined, (range: TimeRange | undefined) => void] {
  const { params, set } = useAddress()
  const [from, to] = [params.get('from'), params.get('to')]
  // a stable object, because the rows are filtered again whenever it changes
  const range = useMemo(() => {
    const times = readTimes(from, to)
    return times && { start: times.from, end: times.to }
  }, [from, to])
  const setRange = (chosen: TimeRange | undefined) =>
    set({ from: chosen && String(chosen.start), to: chosen && String(chosen.end) })
  return [range, setRange]
}
