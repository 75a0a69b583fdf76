import type { SystemSettings, UpdateHistoryEntry } from '@pulse/contract'
import { type Clock, majorOf } from '@pulse/domain'
import { createTicker, type Ticker } from '../timing/ticker.ts'
import type { UpdateFault } from './update-error.ts'

/** Maximum pause before the clock is read again, because it may be set and the machine may sleep. */
const LONGEST_WAIT_MS = 10 * 60_000
/** A time missed by more is skipped, because an update in the middle of the day would surprise. */
const LATE_MS = 60 * 60_000
/** Delayed, because the sources are polled first. */
const FIRST_LOOK_MS = 60_000
const HOUR_MS = 3_600_000

export interface ScheduleEdges {
  settings: () => Pick<SystemSettings, 'autoUpdateEnabled' | 'autoUpdateCheckInterval' | 'autoUpdateTime'>
  look: () => Promise<unknown>
  install: () => Promise<void>
  onFault: (error: unknown) => void
  clock: Clock
}

/** Looks for releases at an interval, and installs at the configured time of day. */
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

  /** Both the configured time and the clock may have changed. */
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
    /** The settings changed: today's time may be in the future again. */
    changed() {
      looking?.now()
    },
    stop() {
      looking?.stop()
      looking = undefined
    },
  }
}

/** The next HH:MM in the server's time zone; once a day even when clocks change. */
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

/** Faults of the version itself. Others, such as a feed outage or a full disk, may be over tomorrow. */
const blame: readonly (UpdateFault | string | undefined)[] = [
  'health',
  'checksum',
  'signature',
  'downgrade',
  'platform',
]

/** Whether it needs no confirmation: the same major version, and no earlier failure here. */
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
