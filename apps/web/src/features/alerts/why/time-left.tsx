import type { TracedCondition, TracedNotice } from '@pulse/contract'
import { useNow } from '../../../lib/use-now.ts'

const secondMs = 1_000

/** `in 45 s`, `in 4 min 10 s`, `in 2 h 5 min`; undefined once elapsed. */
export function leftText(leftMs: number): string | undefined {
  const seconds = Math.ceil(leftMs / secondMs)
  if (seconds <= 0) return undefined
  if (seconds < 60) return `in ${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 === 0 ? `in ${minutes} min` : `in ${minutes} min ${seconds % 60} s`
  return minutes % 60 === 0 ? `in ${minutes / 60} h` : `in ${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

interface TimeLeftProps {
  /** ms left at `asOf` */
  leftMs: number
  /** epoch ms on this browser's clock, which may differ from the server's */
  asOf: number
  /** text once the time has elapsed */
  over: string
}

export function TimeLeft({ leftMs, asOf, over }: TimeLeftProps) {
  const text = useNow(secondMs, (now) => leftText(leftMs - Math.max(0, now - asOf)) ?? over)
  return <>{text}</>
}

/** ms until a pending condition becomes an alert. */
export const untilAlert = ({ state, delay }: TracedCondition): number | undefined =>
  state === 'pending' && delay ? (delay.seconds - delay.passedSeconds) * secondMs : undefined

/** ms until the next send or check, on the server's clock. */
export function untilSent({ at, wait, next }: TracedNotice): number | undefined {
  const end = wait?.until ?? next?.at
  return end === undefined ? undefined : Date.parse(end) - Date.parse(at)
}

/** ms until the first countdown ends. */
export function untilNext(conditions: readonly TracedCondition[]): number {
  const all = conditions.flatMap((one) => [untilAlert(one), ...(one.notices ?? []).map(untilSent)])
  return Math.min(Infinity, ...all.filter((left) => left !== undefined))
}
