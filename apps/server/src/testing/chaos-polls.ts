import { seconds } from './chaos-alerts.ts'

/** How long a process has asked a source, from its first call on. Monotonic ms. */
interface Tenure {
  /** address of the process */
  from: string
  begin: number
  end: number
}

export interface PollLog {
  /** `cluster`: also the name of an appliance; `from`: address of the process */
  note(asked: { cluster: string; from: string; path: string }): void
  readonly count: number
  /** the process that asked last, by source */
  last(): Map<string, string>
  /** Sources that two processes asked at once for longer than this. */
  doubled(longestMs: number): string[]
}

/**
 * A collector asks these when it begins with a source. While it lists the nodes one by one it asks for them every half minute: then
 * a tenure counts as two.
 */
const firstPaths = ['/nodes', '/version']
/** Above the interval of polls: who has asked nothing for so long has stopped, and begun again. */
const againMs = 12_000

/** Which process asked which source when. */
export function createPollLog(now = () => performance.now()): PollLog {
  /** by source */
  const tenures = new Map<string, Tenure[]>()
  const last = new Map<string, string>()
  let count = 0
  return {
    note({ cluster, from, path }) {
      count++
      const at = now()
      const own = tenures.get(cluster) ?? []
      tenures.set(cluster, own)
      last.set(cluster, from)
      const current = own.findLast((one) => one.from === from)
      if (!current || firstPaths.includes(path) || at - current.end > againMs)
        own.push({ from, begin: at, end: at })
      else current.end = at
    },
    get count() {
      return count
    },
    last: () => new Map(last),
    doubled: (longestMs) =>
      [...tenures].flatMap(([source, own]) =>
        overlaps(own)
          .filter(({ from, to }) => to - from > longestMs)
          .map(
            ({ from, to, both }) =>
              `${source} was asked by ${both.join(' and ')} at once from ${seconds(from)} to ${seconds(to)}`,
          ),
      ),
  }
}

function overlaps(tenures: readonly Tenure[]) {
  const sorted = tenures.toSorted((a, b) => a.begin - b.begin)
  return sorted.flatMap((one, n) =>
    sorted
      .slice(n + 1)
      .filter((other) => other.from !== one.from && other.begin < one.end)
      .map((other) => ({
        from: other.begin,
        to: Math.min(one.end, other.end),
        both: [one.from, other.from],
      })),
  )
}
