import type { Bounds } from '@pulse/contract'

/** A whole number within bounds; what is none is the fallback. */
export function readWhole(text: string, { min, max }: Bounds, fallback: number): number {
  const number = Number.parseInt(text.trim(), 10)
  return Number.isNaN(number) ? fallback : Math.min(max, Math.max(min, number))
}
