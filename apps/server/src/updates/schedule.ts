import type { SystemSettings, UpdateHistoryEntry } from '@pulse/contract'
import { type Clock, majorOf } from '@pulse/domain'
import { createTicker, type Ticker } from '../timing/ticker.ts'
import type { UpdateFault } from './update-error.ts'

/** The wall clock may be set, and a machine may sleep: it is looked at again at least so often. */
const LONGEST_WAIT_MS = 10 * 60_000
/** A missed time is skipped: an update in the middle of the day would surprise. */
const LATE_MS = 60 * 60_000
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
  let looking: Ticker | undefined
  const startedAt = clock.monotonic()
  let lookedAt: number | undefined
  let installAt = Infinity
  let timeOf = ''

  function untilLook(): number {
    const hours = settings().autoUpdateCheckInterval
    if (hours === 0) return Infinity
    const at = lookedAt === undefined ? startedAt + FIRST_LOOK_MS : lookedAt + hours * HOUR_MS
    return at - clock.monotonic()
  }

  /** Both the time that was set and the clock may be others by now. */
  function isTimeToInstall(): boolean {
    const { autoUpdateTime } = settings()
    const late = clock.now() - installAt
    const isTime = autoUpdateTime === timeOf && late >= 0 && late < LATE_MS
    installAt = nextTime(autoUpdateTime, clock.now())
    timeOf = autoUpdateTime
    return isTime
  }

  function go(): void {
    if (untilLook() <= 0) {
      lookedAt = clock.monotonic()
      look().catch(onFault)
    }
    if (isTimeToInstall() && settings().autoUpdateEnabled) install().catch(onFault)
  }

  const waitMs = () => Math.max(1_000, Math.min(LONGEST_WAIT_MS, untilLook(), installAt - clock.now()))

  return {
    start() {
      looking = createTicker({ clock, intervalMs: waitMs, run: go, onError: onFault })
      looking.now()
    },
    /** Something was set: a time of today may lie ahead again. */
    changed() {
      looking?.now()
    },
    stop() {
      looking?.stop()
      looking = undefined
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

/** What the version itself is to blame for; a feed that was down or a full disk is over by tomorrow. */
const blame: readonly (UpdateFault | string | undefined)[] = [
  'health',
  'checksum',
  'signature',
  'downgrade',
  'platform',
]

/** Whether it needs no confirmation: the same major version, and no failure here before. */
export function mayInstallUnattended(
  version: string,
  running: string,
  history: readonly Pick<UpdateHistoryEntry, 'version_to' | 'status' | 'error'>[],
): boolean {
  const hasFailed = history.some(
    ({ version_to, status, error }) =>
      version_to === version &&
      (status === 'rolled_back' || (status === 'failed' && blame.includes(error?.code))),
  )
  return majorOf(version) === majorOf(running) && !hasFailed
}
