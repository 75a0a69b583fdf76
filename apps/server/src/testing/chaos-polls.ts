import type { AskedRequest } from '@pulse/lab'
import { seconds } from './chaos-alerts.ts'

interface Poll {
  /** address of the process */
  from: string
  at: number
}

export interface PollLog {
  note(asked: AskedRequest): void
  readonly count: number
  /** Sources that two processes asked in turns for longer than this. */
  doubled(longestMs: number): string[]
}

/** Which process asked which source when. */
export function createPollLog(): PollLog {
  /** by source: the first call after each change of the process */
  const changes = new Map<string, Poll[]>()
  let count = 0
  return {
    note({ cluster, from }) {
      count++
      const own = changes.get(cluster) ?? []
      changes.set(cluster, own)
      if (own.at(-1)?.from !== from) own.push({ from, at: performance.now() })
    },
    get count() {
      return count
    },
    doubled: (longestMs) =>
      [...changes].flatMap(([source, own]) =>
        stretches(own, longestMs)
          .filter((stretch) => stretch.length > 2 && stretch.at(-1)!.at - stretch[0]!.at > longestMs)
          .map(
            (stretch) =>
              `${source} was asked by several in turns: ${stretch.map(({ from, at }) => `${from} ${seconds(at)}`).join()}`,
          ),
      ),
  }
}

/** Changes that follow each other within that time: a lease changes hands no faster. */
function stretches(changes: readonly Poll[], longestMs: number): Poll[][] {
  const found: Poll[][] = []
  for (const change of changes) {
    const last = found.at(-1)
    if (last && change.at - last.at(-1)!.at < longestMs) last.push(change)
    else found.push([change])
  }
  return found
}
