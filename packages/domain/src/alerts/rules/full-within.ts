import { type Alert, type Forecast, type ForecastKind, type Guest, kinds } from '@pulse/contract'
import { fileSystemId, fileSystemName, reportsFileSystems } from '../../file-systems.ts'
import type { Condition, Verdict } from '../condition.ts'
import { fullWithinAlertOf } from '../file-system-alerts.ts'
import type { Judging, Rule } from '../judging.ts'
import { activityOf, idleReason, unknownReason } from './guest-activity.ts'

const dayMs = 24 * 3_600_000
/** It clears only when it is so much further away, so that a forecast near the limit does not flap. */
const clearFactor = 1.5
const switchedOff = 'Its threshold is switched off.'

interface Filling {
  name: string
  /** absent for a datastore, which cannot be disabled */
  enabled?: boolean
  forecast?: Forecast | undefined
}

/** What may be full. */
interface Judged {
  enabled: boolean | undefined
  forecast: Forecast | undefined
  /** of its alert */
  id: string
  /** begins the message */
  subject: string
}

/**
 * It will be full within the configured days. The estimate counts, not the early end of its range: an
 * uncertain forecast raises nothing. `what` begins the message.
 */
export const fullWithin = (name: string, what: string): Rule<Filling> => ({
  name,
  judge: (record, on) =>
    judge(
      {
        enabled: record.enabled,
        forecast: record.forecast,
        id: `full-within-${on.record}`,
        subject: `${what} ${record.name}`,
      },
      on,
    ),
})

/** Each file system of a guest, or its disk if it does not report them. */
export const guestFullWithin: Rule<Guest> = {
  name: 'guest-full-within',
  judge(guest, on) {
    const isOff = (on.policy.figures.fullWithin?.value ?? 0) <= 0
    if (!on.isWatched && isOff) return
    const leaveRest = (reason: string) => (isOff ? on.endRest(switchedOff) : on.holdRest(reason))
    const busy = unknownReason(guest) ?? activityOf(guest)
    if (busy !== undefined) return leaveRest(busy)
    if (idleReason(guest) !== undefined) return
    const { name, disks = [] } = guest
    // Those without a date are not in the guest.
    const judgeOne = (kind: ForecastKind, key: string, own: string, subject: string) => {
      const forecast = on.tables.forecasts.get(kinds.forecasts.key({ kind, id: key }))?.forecast
      judge({ enabled: undefined, forecast, id: own, subject }, on)
    }
    if (!reportsFileSystems(guest)) {
      // Before the agent of a virtual machine answers, the sum of its file systems has only a history.
      if (guest.disk?.usage !== undefined)
        judgeOne('guests', on.record, `full-within-${on.record}`, `Disk of ${name}`)
      return leaveRest('Its file systems are not reported.')
    }
    const seen = new Set<string>()
    for (const [index, disk] of disks.entries()) {
      const { label, key } = fileSystemName(disk, index)
      if (seen.has(key)) continue
      seen.add(key)
      const fileSystem = fileSystemId(on.record, disk, index)
      judgeOne(
        'fileSystems',
        fileSystem,
        fullWithinAlertOf(on.record, key),
        `File system ${label} of ${name}`,
      )
    }
  },
}

function judge({ enabled, forecast, id, subject }: Judged, on: Judging): void {
  const limit = on.policy.figures.fullWithin
  const threshold = limit?.value ?? 0
  const left = daysLeft(forecast?.fullAt, on)
  if (threshold > 0 && left !== undefined && left > threshold) on.recheckIn((left - threshold) * dayMs)
  const isBad = threshold > 0 && left !== undefined && left <= threshold
  if (!isBad && !on.isFollowed(id)) return
  on.emit({
    id,
    type: 'full-within',
    ...verdictOf({ enabled, forecast, id }, threshold, left, on),
    value: rounded(left ?? 0),
    threshold,
    clear: threshold * clearFactor,
    origin: limit?.origin,
    level: 'warning',
    message: `${subject} ${messageEnd(forecast, on)}`,
    metadata: rangeOf(forecast, on),
  })
}

const daysLeft = (at: number | undefined, { wallNow }: Judging): number | undefined =>
  at === undefined ? undefined : Math.max(0, (at - wallNow) / dayMs)

function verdictOf(
  { enabled, forecast, id }: Omit<Judged, 'subject'>,
  threshold: number,
  left: number | undefined,
  on: Judging,
): Pick<Condition, 'verdict' | 'reason'> {
  if (enabled === false) return { verdict: 'off', reason: 'It is disabled.' }
  if (threshold <= 0) return { verdict: 'off', reason: switchedOff }
  if (!forecast) return { verdict: 'held', reason: 'Its history has not been read yet.' }
  if (forecast.reason === 'short' && !forecast.hasEased)
    return { verdict: 'held', reason: 'It has too little history for a forecast.' }
  if (forecast.reason === 'irregular')
    return { verdict: 'held', reason: 'It grows too irregularly for a forecast.' }
  return { verdict: left === undefined ? 'fine' : verdictAt(left, threshold, on.openAlert(id)) }
}

function verdictAt(left: number, threshold: number, open: Alert | undefined): Verdict {
  if (left <= threshold) return 'bad'
  // Under another threshold, the alert would not have fired.
  const isSame = open?.threshold === threshold
  return isSame && left <= threshold * clearFactor ? 'between' : 'fine'
}

function messageEnd(forecast: Forecast | undefined, on: Judging): string {
  const left = daysLeft(forecast?.fullAt, on)
  if (left === undefined) return 'has no forecast'
  if (left < 1) return 'will be full in less than a day'
  const [days, from, to] = [left, daysLeft(forecast?.earliestAt, on), daysLeft(forecast?.latestAt, on)].map(
    (one) => (one === undefined ? undefined : Math.round(one)),
  )
  const range = to === undefined ? `at least ${from}` : from === to ? undefined : `${from} to ${to}`
  return `will be full in about ${days} ${days === 1 ? 'day' : 'days'}${range === undefined ? '' : ` (${range})`}`
}

/** Days, as far as they are known. */
function rangeOf(forecast: Forecast | undefined, on: Judging): Record<string, number> {
  const found = {
    earliestDays: daysLeft(forecast?.earliestAt, on),
    latestDays: daysLeft(forecast?.latestAt, on),
  }
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, days]) => (days === undefined ? [] : [[name, rounded(days)]])),
  )
}

const rounded = (days: number): number => Math.round(days * 10) / 10
