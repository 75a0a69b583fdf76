import { useState } from 'react'
import { useStored, writeStored } from '../../lib/storage.ts'

/** For how long a warning can be silenced. */
export const dismissalPeriods = ['day', 'week', 'forever'] as const
export type DismissalPeriod = (typeof dismissalPeriods)[number]

const years = 100

export function dismissedUntil(period: DismissalPeriod, now: number): string {
  const date = new Date(now)
  if (period === 'forever') date.setFullYear(date.getFullYear() + years)
  else date.setDate(date.getDate() + (period === 'day' ? 1 : 7))
  return date.toISOString()
}

/** What is no date dismisses nothing. */
export const isDismissed = (until: string | null, now: number): boolean =>
  until !== null && Date.parse(until) > now

/** Until a date that this browser keeps. */
export function useDismissal(key: string): [dismissed: boolean, dismiss: (period: DismissalPeriod) => void] {
  const until = useStored(key)
  const [now] = useState(Date.now)
  return [isDismissed(until, now), (period) => writeStored(key, dismissedUntil(period, Date.now()))]
}

/** For this visit alone. */
export function useSessionDismissal(key: string): [dismissed: boolean, dismiss: () => void] {
  const [dismissed, setDismissed] = useState(() => isOver(key))
  return [
    dismissed,
    () => {
      setDismissed(true)
      try {
        sessionStorage.setItem(key, 'true')
      } catch {
        // kept as long as the page is open, then
      }
    },
  ]
}

function isOver(key: string): boolean {
  try {
    return sessionStorage.getItem(key) === 'true'
  } catch {
    return false
  }
}
