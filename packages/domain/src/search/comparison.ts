import type { Comparison, Sign } from './term.ts'

const EQUALITY_TOLERANCE = 0.01
/** Makes 80.01 match 80 within 0.01, although their binary difference is slightly larger. */
const ROUNDING = 1e-9

const holds: Record<Sign, (value: number, limit: number) => boolean> = {
  '>': (value, limit) => value > limit,
  '<': (value, limit) => value < limit,
  '>=': (value, limit) => value >= limit,
  '<=': (value, limit) => value <= limit,
  '=': (value, limit) => Math.abs(value - limit) <= EQUALITY_TOLERANCE + ROUNDING,
}

/** Whether a value satisfies all, or any, comparisons. */
export function compileComparisons(
  comparisons: readonly Comparison[],
  mode: 'all' | 'any',
): (value: number) => boolean {
  const tests = decisive(comparisons, mode)
  return mode === 'all'
    ? (value) => tests.every(({ sign, limit }) => holds[sign](value, limit))
    : (value) => tests.some(({ sign, limit }) => holds[sign](value, limit))
}

/** Of many bounds in one direction a single one decides. Equalities are all kept. */
function decisive(comparisons: readonly Comparison[], mode: 'all' | 'any'): Comparison[] {
  const bounds = new Map<Sign, number>()
  const equalities = new Set<number>()
  for (const { sign, limit } of comparisons) {
    const known = bounds.get(sign)
    const highest = sign.startsWith('>') === (mode === 'all')
    if (sign === '=') equalities.add(limit)
    else if (known === undefined) bounds.set(sign, limit)
    else bounds.set(sign, highest ? Math.max(known, limit) : Math.min(known, limit))
  }
  return [
    ...[...bounds].map(([sign, limit]) => ({ sign, limit })),
    ...[...equalities].map((limit) => ({ sign: '=' as const, limit })),
  ]
}
