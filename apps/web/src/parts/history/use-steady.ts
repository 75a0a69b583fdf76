import { useState, useSyncExternalStore } from 'react'
import type { Crosshair } from '../chart/crosshair.ts'
import type { Viewed } from './last-week.ts'
import type { HistoryChoice } from './range.ts'

interface Shown {
  viewed: Viewed
  choice: HistoryChoice
  /** the figures are of the former choice */
  isPlaceholderData: boolean
}

/** What the charts show. New figures of the same choice wait while the crosshair is on a chart. */
export function useSteady(crosshair: Crosshair, newest: Shown): Viewed {
  const isPointed = useSyncExternalStore(crosshair.subscribe, () => crosshair.get() !== undefined)
  const [shown, setShown] = useState(newest)
  const isLoading = shown.isPlaceholderData || newest.isPlaceholderData
  if (isPointed && shown.choice === newest.choice && !isLoading) return shown.viewed
  if (
    shown.viewed !== newest.viewed ||
    shown.choice !== newest.choice ||
    isLoading !== newest.isPlaceholderData
  )
    setShown(newest)
  return newest.viewed
}
