import { seconds } from './chaos-alerts.ts'

interface Poll {
  /** address of the process */
  from: string
  at: number
}

export interface PollLog {
  /** `cluster`: also the name of an appliance; `from`: address of the process */
  note(asked: { cluster: string; from: string }): void
  readonly count: number
  /** the process that asked last, by source */
  last(): Map<string, string>
  /** Sources that two processes asked by turns for longer than this. */
  doubled(longestMs: number): string[]
}

/** Above the interval of polls: each of two that poll the same source asks it again within this time. */
const againMs = 12_000

/** Which process asked which source when. */
export function createPollLog(now = () => performance.now()): PollLog {
  /** by source */
  const changes = new Map<string, Poll[]>()
  let count = 0
  return {
    note({ cluster, from }) {
      count++
      const own = changes.get(cluster) ?? []
      changes.set(cluster, own)
      if (own.at(-1)?.from !== from) own.push({ from, at: now() })
    },
    get count() {
      return count
    },
    last: () => new Map([...changes].map(([source, own]) => [source, own.at(-1)!.from])),
    doubled: (longestMs) =>
      [...changes].flatMap(([source, own]) =>
        turnsOfTwo(own)
          .filter((turns) => turns.length > 3 && turns.at(-1)!.at - turns[0]!.at > longestMs)
          .map(
            (turns) =>
              `${source} was asked by turns: ${turns.map(({ from, at }) => `${from} ${seconds(at)}`).join()}`,
          ),
      ),
  }
}

/** Stretches in which two processes took turns. A lease that goes from one to another and back changes hands twice only. */
function turnsOfTwo(changes: readonly Poll[]): Poll[][] {
  const all = [...new Set(changes.map(({ from }) => from))]
  const pairs = all.flatMap((one, n) => all.slice(n + 1).map((other) => [one, other]))
  return pairs.flatMap((pair) => {
    const found: Poll[][] = []
    for (const change of changes.filter(({ from }) => pair.includes(from))) {
      const last = found.at(-1)
      const before = last?.at(-1)
      if (before?.from === change.from) continue
      const since = last?.at(-2) ?? before
      if (last && since && change.at - since.at < againMs) last.push(change)
      else found.push([change])
    }
    return found
  })
}
