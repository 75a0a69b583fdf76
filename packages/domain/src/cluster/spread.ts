/** What a collector knows about all sources and collectors. Each has its own view, and they may differ for some seconds. */
export interface SpreadView {
  /** this collector */
  own: string
  /** all that run, this one included */
  collectors: readonly string[]
  /** the work that each source makes, in any unit; more than 0 */
  costs: ReadonlyMap<string, number>
  /** by source */
  holders: ReadonlyMap<string, string>
  /** Sources that no collector has held for so long that the one that should take them seems to be unable to. */
  overdue: ReadonlySet<string>
}

export interface SpreadStep {
  claim: string[]
  /** at most one, so that the others see it before the next one */
  release: string[]
}

/** A difference of load below this share of the average is not worth a move: the new collector begins with a whole base. */
const worthwhile = 0.25

/**
 * What a collector does next, so that all sources are collected and the work is even. Collectors with the same view come
 * to the same result, so that they rarely try to claim the same source. If their views differ, the leases decide.
 */
export function spreadStep({ own, collectors, costs, holders, overdue }: SpreadView): SpreadStep {
  const loads = new Map(collectors.toSorted().map((collector) => [collector, 0]))
  if (!loads.has(own)) loads.set(own, 0)
  const free: [source: string, cost: number][] = []
  const held: [source: string, cost: number][] = []
  for (const [source, cost] of costs) {
    const holder = holders.get(source)
    if (holder === undefined) free.push([source, cost])
    else loads.set(holder, (loads.get(holder) ?? 0) + cost)
    if (holder === own) held.push([source, cost])
  }
  return free.length > 0
    ? { claim: claims(own, loads, free.toSorted(heaviest), overdue), release: [] }
    : { claim: [], release: surplus(own, loads, held.toSorted(heaviest)) }
}

type Weighed = readonly [source: string, cost: number]
const heaviest = (a: Weighed, b: Weighed) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)

/** The heaviest first, each to the collector that has least to do then. */
function claims(
  own: string,
  loads: Map<string, number>,
  free: readonly Weighed[],
  overdue: ReadonlySet<string>,
): string[] {
  const claimed: string[] = []
  for (const [source, cost] of free) {
    const [taker] = least(loads)
    loads.set(taker, loads.get(taker)! + cost)
    if (taker === own || overdue.has(source)) claimed.push(source)
  }
  return claimed
}

/** The collector with most to do gives one source away, if that makes the work more even. */
function surplus(own: string, loads: ReadonlyMap<string, number>, held: readonly Weighed[]): string[] {
  const total = [...loads.values()].reduce((sum, load) => sum + load, 0)
  const [busiest, most] = [...loads].reduce((a, b) => (b[1] > a[1] ? b : a))
  const difference = most - least(loads)[1]
  if (busiest !== own || difference <= (worthwhile * total) / loads.size) return []
  // moved, it makes the other one busier by as much
  const fitting = held.find(([, cost]) => cost < difference)
  return fitting ? [fitting[0]] : []
}

const least = (loads: ReadonlyMap<string, number>): [string, number] =>
  [...loads].reduce((a, b) => (b[1] < a[1] ? b : a))
