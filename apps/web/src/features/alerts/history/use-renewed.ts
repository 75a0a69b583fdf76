import { useEffect, useEffectEvent, useRef } from 'react'
import { useIds } from '../../../live/use-live.ts'

/** Alerts often change in bursts: the history is reloaded once they settle. */
const restMs = 2_000

/** Reloads the history after alerts fire or resolve. */
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
