import type { Alert, MailGateway } from '@pulse/contract'
import type { AlertLevel } from '../condition.ts'
import type { Judging, Rule } from '../judging.ts'
import { clusterKey, judgeLimits, type Limits, limitsOf } from './mail-limits.ts'

const minuteMs = 60_000
/** Growth is measured against the sample of about this age. */
const comparedMs = 120 * minuteMs
const toleranceMs = 15 * minuteMs
const retentionMs = 180 * minuteMs
const sampleIntervalMs = 5 * minuteMs

interface Sample {
  /** epoch ms */
  at: number
  spam: number
  virus: number
}

const boxes = [
  ['spam', 'quarantineSpamWarn', 'quarantineSpamCritical', 'Spam'],
  ['virus', 'quarantineVirusWarn', 'quarantineVirusCritical', 'Virus'],
] as const

/** Size and growth of the quarantine. */
export const mailQuarantine: Rule<MailGateway> = {
  name: 'mail-quarantine',
  judge(gateway, on) {
    const { name, quarantine } = gateway
    if (!quarantine) return on.holdRest('Its quarantine is not reported.')
    const cluster = clusterKey(gateway, on)
    const samples = sample(quarantine, on)
    const before = nearest(samples, on.now - comparedMs)
    for (const [box, warn, critical, label] of boxes) {
      const count = quarantine[box]
      const own = limitsOf(on, warn, critical)
      const id = `${cluster}-quarantine-${box}`
      const grown = before && growth(count, before[box], on)
      const isCritical = own.critical > 0 && count >= own.critical
      // Growth can raise the level, never lower it.
      const limits =
        grown === undefined || isCritical
          ? own
          : grown.level === 'critical'
            ? { ...own, critical: count, name: 'pmgDefaults.quarantineGrowthCritPct' }
            : { ...own, warn: own.warn > 0 ? Math.min(own.warn, count) : count }
      judgeLimits(on, {
        id,
        type: `quarantine-${box}`,
        value: count,
        limits,
        // A kill loses samples. Until new ones exist, it is unknown whether the growth has ended.
        held:
          before || isFollowed(samples, on) || !isByGrowth(on.openAlert(id), own)
            ? undefined
            : 'How fast it grows is being measured.',
        message: () =>
          `${label} quarantine of ${name} holds ${count} messages${grown ? `, ${grown.by} more than two hours ago (${grown.percent}%)` : ''}`,
        metadata: grown && { grownBy: grown.by, grownPercent: grown.percent },
      })
    }
  },
}

/** The samples of the last three hours. */
function sample({ spam, virus }: Pick<Sample, 'spam' | 'virus'>, on: Judging): readonly Sample[] {
  on.recheckIn(sampleIntervalMs)
  const before = on.recall<Sample[]>('quarantine') ?? []
  const last = before.at(-1)
  if (last && on.now - last.at < sampleIntervalMs && on.now >= last.at) return before
  const kept = before.filter(({ at }) => at > on.now - retentionMs && at <= on.now)
  const samples = [...kept, { at: on.now, spam, virus }]
  on.keep('quarantine', samples)
  return samples
}

const isByGrowth = (alert: Alert | undefined, { warn }: Limits): boolean =>
  alert !== undefined && (warn <= 0 || alert.value < warn)

/** Whether the samples span the compared period. */
const isFollowed = ([first]: readonly Sample[], { now }: Judging): boolean =>
  first !== undefined && now - first.at > comparedMs + toleranceMs

function nearest(samples: readonly Sample[], at: number): Sample | undefined {
  const near = samples.filter((one) => Math.abs(one.at - at) <= toleranceMs)
  return near.reduce<Sample | undefined>(
    (best, one) => (best && Math.abs(best.at - at) <= Math.abs(one.at - at) ? best : one),
    undefined,
  )
}

/** Growth from zero is undefined. */
function growth(
  count: number,
  before: number,
  { config: { pmgDefaults: set } }: Judging,
): { level: AlertLevel; by: number; percent: number } | undefined {
  if (before <= 0) return undefined
  const by = count - before
  const percent = Math.round((by / before) * 100)
  const grew = (percentLimit: number, leastLimit: number) =>
    percentLimit > 0 && percent >= percentLimit && by >= Math.max(1, leastLimit)
  if (grew(set.quarantineGrowthCritPct, set.quarantineGrowthCritMin))
    return { level: 'critical', by, percent }
  return grew(set.quarantineGrowthWarnPct, set.quarantineGrowthWarnMin)
    ? { level: 'warning', by, percent }
    : undefined
}
