import { useState } from 'react'
import { useStored, writeStored } from '../../lib/storage.ts'

/** Durations of a dismissal. */
export const dismissalPeriods = ['day', 'week', 'forever'] as const
export type DismissalPeriod = (typeof dismissalPeriods)[number]

const years = 100

export function dismissedUntil(period: DismissalPeriod, now: number): string {
  const date = new Date(now)
  if (period === 'forever') date.setFullYear(date.getFullYear() + years)
  else date.setDate(date.getDate() + (period === 'day' ? 1 : 7))
  return date.toISOString()
}

/** An invalid date dismisses nothing. */
export const isDismissed = (until: string | null, now: number): boolean =>
  until !== null && Date.parse(until) > now

/** Dismissed until a date stored in this browser. */
export function useDismissal(key: string): [dismissed: boolean, dismiss: (period: DismissalPeriod) => void] {
  const until = useStored(key)
  const [now] = useState(Date.now)
  return [isDismissed(until, now), (period) => writeStored(key, dismissedUntil(period, Date.now()))]
}

/** Dismissed for this visit. */
export function useSessionDismissal(key: string): [dismissed: boolean, dismiss: () => void] {
  const [dismissed, setDismissed] = useState(() => isOver(key))
  return [
    dismissed,
    () => {
      setDismissed(true)
      try {
        sessionStorage.setItem(key, 'true')
      } catch {
        // without storage it lasts until the page is closed
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
