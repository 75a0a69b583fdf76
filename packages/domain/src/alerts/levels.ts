import type { AlertLevel } from './condition.ts'

/** A warning becomes critical this far above the trigger. */
const criticalAbove = 10
/** The highest critical limit of a percentage. */
const mostPercent = 99

/** The critical limit of a figure; undefined if it does not fit above the trigger. */
export function criticalPoint(trigger: number, isPercent: boolean): number | undefined {
  const point = trigger + criticalAbove
  if (!isPercent || point <= mostPercent) return point
  return trigger < mostPercent ? mostPercent : undefined
}

/** A critical figure stays critical until it has fallen by the margin between trigger and clear value. */
export function levelOf(
  value: number,
  {
    criticalAt,
    threshold,
    clear,
  }: { criticalAt?: number | undefined; threshold: number; clear?: number | undefined },
  before: AlertLevel | undefined,
): AlertLevel {
  if (criticalAt === undefined) return 'warning'
  const margin = before === 'critical' && clear !== undefined ? Math.max(0, threshold - clear) : 0
  return value >= criticalAt || (margin > 0 && value > criticalAt - margin) ? 'critical' : 'warning'
}
