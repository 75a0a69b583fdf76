import type { Clock } from '@pulse/domain'
import type { Job } from './job.ts'

/** The unfinished messages to one channel, the oldest first. */
export interface JobQueue {
  all(): readonly Job[]
  add(jobs: readonly Job[]): void
  remove(job: Job): void
  /** The oldest that is due, unless one before it is about the same alert. */
  pick(): Job | undefined
  /** Nothing is tried for that long. */
  restFor(ms: number): void
  isResting(): boolean
  /** What is to be tried later is tried now; false when none is meant. */
  hurry(isMeant: (job: Job) => boolean): boolean
  /** Monotonic; when there is something to do again, as far as that is a matter of time. */
  nextAt(isMoreWaiting: boolean): number | undefined
}

export function createJobQueue(clock: Pick<Clock, 'monotonic'>): JobQueue {
  let jobs: Job[] = []
  let notBefore = -Infinity
  const isResting = () => clock.monotonic() < notBefore

  /** Those before which none is about the same alert. */
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
    hurry(isMeant) {
      const meant = jobs.filter(isMeant)
      for (const job of meant) job.nextAt = Math.min(job.nextAt, clock.monotonic())
      return meant.length > 0
    },
    nextAt(isMoreWaiting) {
      const times = [...free()].map(({ nextAt }) => nextAt)
      if (isMoreWaiting && isResting()) times.push(notBefore)
      return times.length === 0 ? undefined : Math.max(notBefore, Math.min(...times))
    },
  }
}
