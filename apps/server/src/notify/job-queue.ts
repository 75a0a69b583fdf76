import type { Clock } from '@pulse/domain'
import type { Job } from './job.ts'

/** The unfinished messages of one channel, oldest first. */
export interface JobQueue {
  all(): readonly Job[]
  add(jobs: readonly Job[]): void
  remove(job: Job): void
  /** The oldest due message without an earlier message about the same alert. */
  pick(): Job | undefined
  /** Pauses all attempts for this time. */
  restFor(ms: number): void
  isResting(): boolean
  /** Retries the selected messages now; false when none matches. */
  hurry(isSelected: (job: Job) => boolean): boolean
  /** Monotonic; when the next message is due. */
  nextAt(isMoreWaiting: boolean): number | undefined
}

export function createJobQueue(clock: Pick<Clock, 'monotonic'>): JobQueue {
  let jobs: Job[] = []
  let notBefore = -Infinity
  const isResting = () => clock.monotonic() < notBefore

  /** Messages without an earlier one about the same alert. */
  function* free(): Generator<Job> {
    const before = new Set<string>()
    for (const job of jobs) {
      const ids = job.dispatch.items.map(({ alert }) => alert.id)
      if (!ids.some((id) => before.has(id))) yield job
      for (const id of ids) before.add(id)
    }
  }

  return {
    all: () => jobs,
    add: (more) => void (jobs = [...jobs, ...more]),
    remove: (job) => void (jobs = jobs.filter((other) => other !== job)),
    pick() {
      const now = clock.monotonic()
      if (!isResting()) for (const job of free()) if (job.nextAt <= now) return job
      return undefined
    },
    restFor: (ms) => void (notBefore = clock.monotonic() + ms),
    isResting,
    hurry(isSelected) {
      const selected = jobs.filter(isSelected)
      for (const job of selected) job.nextAt = Math.min(job.nextAt, clock.monotonic())
      return selected.length > 0
    },
    nextAt(isMoreWaiting) {
      const times = [...free()].map(({ nextAt }) => nextAt)
      if (isMoreWaiting && isResting()) times.push(notBefore)
      return times.length === 0 ? undefined : Math.max(notBefore, Math.min(...times))
    },
  }
}
