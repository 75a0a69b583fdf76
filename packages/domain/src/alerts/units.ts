import type { AlertUnit } from '@pulse/contract'

/** A figure with its unit, rounded to one decimal place. */
export function figureText(value: number, unit: AlertUnit | undefined): string {
  const rounded = Number.isSafeInteger(Math.trunc(value)) ? Math.round(value * 10) / 10 : value
  const text = String(Object.is(rounded, -0) ? 0 : rounded)
  if (unit === undefined) return text
  return unit === '%' ? `${text}%` : `${text} ${unit}`
}
