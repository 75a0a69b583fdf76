import { createContext, type ReactNode, useCallback, useContext } from 'react'

const MomentContext = createContext<number | undefined>(undefined)

/** The pages below show this moment (epoch ms) of the past; undefined: now. */
export function MomentProvider({ moment, children }: { moment: number | undefined; children: ReactNode }) {
  return <MomentContext value={moment}>{children}</MomentContext>
}

/** The moment of the past that the page shows, epoch ms; undefined while it shows now. */
export const useMoment = (): number | undefined => useContext(MomentContext)

/** The clock of the page: it stands still at a moment of the past. */
export function useClock(): () => number {
  const moment = useMoment()
  return useCallback(() => moment ?? Date.now(), [moment])
}

/** Why a button of the page is disabled; undefined while the page shows now. */
export const useReadOnlyReason = (): string | undefined =>
  useMoment() === undefined ? undefined : readOnlyReason

export const readOnlyReason = 'This is the past: nothing can be changed here'

/** Px at the default text size that the mark of the past covers at the top of the window. */
export const PAST_MARK_HEIGHT = 36
