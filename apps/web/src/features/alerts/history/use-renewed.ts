import { useEffect, useEffectEvent, useRef } from 'react'
import { useIds } from '../../../live/use-live.ts'

/** Alerts come and go many at a time: what is made of all of them is asked for once they rest. */
const restMs = 2_000

/** After alerts have come or gone, the history is another one. */
export function useRenewed(renew: () => void): void {
  const ids = useIds('activeAlerts')
  const seen = useRef(ids)
  const onRest = useEffectEvent(renew)
  useEffect(() => {
    if (seen.current === ids) return
    const timer = setTimeout(() => {
      seen.current = ids
      onRest()
    }, restMs)
    return () => clearTimeout(timer)
  }, [ids])
}
