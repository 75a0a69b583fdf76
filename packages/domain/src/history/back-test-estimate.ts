import type { Tally } from './back-test-tally.ts'

/** Hours of things that are played. More of them would take longer than two seconds. */
export const mostHours = 3_000

/** Resources that represent all that reached their trigger. */
export interface Estimate {
  /** how many were played */
  played: number
  /** how many reached their trigger */
  of: number
}

/**
 * Every nth of the resources that reached their trigger, so that their hours are not too many; undefined: all
 * of them. They are taken in the order of their hours, so the quiet and the busy ones have their share, and the
 * same history gives the same resources.
 */
export function someOf(costs: ReadonlyMap<string, number>): Set<string> | undefined {
  const all = [...costs].toSorted(([a, x], [b, y]) => x - y || (a < b ? -1 : 1))
  const total = all.reduce((sum, [, hours]) => sum + hours, 0)
  if (total <= mostHours) return undefined
  for (let every = Math.ceil(total / mostHours); ; every++) {
    const middle = Math.floor(Math.min(every, all.length) / 2)
    const some = all.filter((_, n) => n % every === middle)
    const hours = some.reduce((sum, [, own]) => sum + own, 0)
    if (hours <= mostHours || some.length === 1) return new Set(some.map(([key]) => key))
  }
}

/**
 * The counts of some resources, scaled to all; not the messages. Alerts that fire together share a message, with
 * or without grouping, and a source that has reached its hourly limit has to wait. So more alerts make more
 * messages, but not in proportion: those about the ones that were played are the least of them.
 */
export function scaled<R extends ReturnType<Tally['result']>>(result: R, estimate: Estimate) {
  const times = (count: number) => Math.round((count * estimate.of) / estimate.played)
  return {
    ...result,
    perDay: result.perDay.map(({ day, count }) => ({ day, count: times(count) })),
    total: times(result.total),
    totalMs: times(result.totalMs),
    things: times(result.things),
    estimate,
  }
}
