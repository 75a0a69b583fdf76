import type { SystemSettings, UpdateHistoryEntry } from '@pulse/contract'
import { type Clock, majorOf } from '@pulse/domain'

/** The wall clock may be set, and a machine may sleep: it is looked at again at least so often. */
const LONGEST_WAIT_MS = 10 * 60_000
/** Sources come first. */
const FIRST_LOOK_MS = 60_000
const HOUR_MS = 3_600_000

export interface ScheduleEdges {
  settings: () => Pick<SystemSettings, 'autoUpdateEnabled' | 'autoUpdateCheckInterval' | 'autoUpdateTime'>
  look: () => Promise<unknown>
  install: () => Promise<void>
  onFault: (error: unknown) => void
  clock: Clock
}

/** Looks for releases every so many hours, and installs at the time of the day that was set. */
export function createSchedule({ settings, look, install, onFault, clock }: ScheduleEdges) {
  let cancel: (() => void) | undefined
  let lookAt = clock.monotonic() + FIRST_LOOK_MS
  let installAt = nextTime(settings().autoUpdateTime, clock.now())
  let timeOf = settings().autoUpdateTime

  function go(): void {
    const { autoUpdateEnabled, autoUpdateCheckInterval, autoUpdateTime } = settings()
    if (autoUpdateTime !== timeOf) {
      timeOf = autoUpdateTime
      installAt = nextTime(autoUpdateTime, clock.now())
    }
    if (autoUpdateCheckInterval > 0 && clock.monotonic() >= lookAt) {
      lookAt = clock.monotonic() + autoUpdateCheckInterval * HOUR_MS
      look().catch(onFault)
    }
    if (clock.now() >= installAt) {
      installAt = nextTime(autoUpdateTime, clock.now())
      if (autoUpdateEnabled) install().catch(onFault)
    }
    const untilLook = autoUpdateCheckInterval > 0 ? lookAt - clock.monotonic() : Infinity
    const wait = Math.min(LONGEST_WAIT_MS, untilLook, installAt - clock.now())
    cancel = clock.after(Math.max(1_000, wait), go)
  }

  return {
    start() {
      installAt = nextTime(settings().autoUpdateTime, clock.now())
      timeOf = settings().autoUpdateTime
      go()
    },
    /** Something was set: a time of today may lie ahead again. */
    changed() {
      if (!cancel) return
      cancel()
      go()
    },
    stop() {
      cancel?.()
      cancel = undefined
    },
  }
}

/** The next HH:MM of the server's own time zone after a moment; once a day also where a clock is put forward or back. */
export function nextTime(time: string, after: number): number {
  const [hours, minutes] = time.split(':').map(Number) as [number, number]
  const date = new Date(after)
  date.setHours(hours, minutes, 0, 0)
  if (date.getTime() <= after) {
    date.setDate(date.getDate() + 1)
    date.setHours(hours, minutes, 0, 0)
  }
  return date.getTime()
}

/** Whether nobody needs to be asked: the same first number, and a version that has not failed here before. */
export function mayInstallUnattended(
  version: string,
  running: string,
  history: readonly Pick<UpdateHistoryEntry, 'version_to' | 'status'>[],
): boolean {
  const hasFailed = history.some(
    ({ version_to, status }) => version_to === version && (status === 'failed' || status === 'rolled_back'),
  )
  return majorOf(version) === majorOf(running) && !hasFailed
}
