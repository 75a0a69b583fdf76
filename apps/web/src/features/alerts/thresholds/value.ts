import { thresholdAt } from '@pulse/contract'
import type { Metric } from './metrics.ts'

/** The trigger of a stored threshold: a bare number, or an object with a clear value. */
export const triggerOf = (stored: unknown): number | undefined =>
  typeof stored === 'number' ? stored : (stored as { trigger: number } | undefined)?.trigger

export const stored = ({ alone }: Pick<Metric, 'alone'>, trigger: number) =>
  alone ? trigger : thresholdAt(trigger)

/** A trigger of 0 or less disables the alert. */
export const isOff = (trigger: number | undefined): boolean => trigger !== undefined && trigger <= 0

type Typed = { what: 'cleared' } | { what: 'ignored' } | { what: 'value'; value: number }

/** Parses a cell's text: empty clears the value, invalid text is ignored, and numbers are clamped. */
export function readTyped(text: string, metric: Pick<Metric, 'min' | 'max' | 'isWhole'>): Typed {
  const bare = text.trim()
  if (!bare) return { what: 'cleared' }
  const number = Number(bare.replace(',', '.'))
  if (!Number.isFinite(number)) return { what: 'ignored' }
  const bounded = Math.min(metric.max, Math.max(metric.min, metric.isWhole ? Math.round(number) : number))
  // 0 and below all mean off; store the minimum
  return { what: 'value', value: bounded <= 0 ? metric.min : bounded }
}
