import { thresholdAt } from '@pulse/contract'
import type { Metric } from './metrics.ts'

/** As it stands in the configuration: with the value at which the alert ends, or alone. */
export const triggerOf = (stored: unknown): number | undefined =>
  typeof stored === 'number' ? stored : (stored as { trigger: number } | undefined)?.trigger

export const stored = ({ alone }: Pick<Metric, 'alone'>, trigger: number) =>
  alone ? trigger : thresholdAt(trigger)

/** 0 and below. */
export const isOff = (trigger: number | undefined): boolean => trigger !== undefined && trigger <= 0

type Typed = { what: 'cleared' } | { what: 'ignored' } | { what: 'value'; value: number }

/** What was typed into a cell: nothing clears the value, what is no number is ignored, what is too much is the most. */
export function readTyped(text: string, metric: Pick<Metric, 'min' | 'max' | 'isWhole'>): Typed {
  const bare = text.trim()
  if (!bare) return { what: 'cleared' }
  const number = Number(bare.replace(',', '.'))
  if (!Number.isFinite(number)) return { what: 'ignored' }
  const bounded = Math.min(metric.max, Math.max(metric.min, metric.isWhole ? Math.round(number) : number))
  // zero and less are the same, and one of them is what is stored
  return { what: 'value', value: bounded <= 0 ? metric.min : bounded }
}
