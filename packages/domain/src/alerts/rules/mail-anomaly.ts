import type { MailGateway, MailHour } from '@pulse/contract'
import type { AlertLevel } from '../condition.ts'
import type { Judging, Rule } from '../judging.ts'
import { clusterKey } from './mail-limits.ts'

const hourMs = 3_600_000
/** A longer gap between hours invalidates the preceding ones. */
const mostGapMs = 90 * 60_000
const mostHours = 48
const leastEarlier = 12
const usualEarlier = 24
/** The trimmed mean of a day omits this many of the highest and lowest hours. */
const outermost = 2
/** A mean this far from the median is replaced by the median. */
const skewed = 0.4

const metrics = ['spamIn', 'spamOut', 'virusIn', 'virusOut'] as const
type Metric = (typeof metrics)[number]
type Hour = { at: number } & Record<Metric, number>

const words: Readonly<Record<Metric, string>> = {
  spamIn: 'Incoming spam',
  spamOut: 'Outgoing spam',
  virusIn: 'Incoming viruses',
  virusOut: 'Outgoing viruses',
}

/** Counts far above the baseline for two hours in a row. */
export const mailAnomaly: Rule<MailGateway> = {
  name: 'mail-anomaly',
  judge(gateway, on) {
    const { name, mailCount } = gateway
    if (!mailCount) return on.holdRest('Its hourly mail counts are not reported.')
    const hours = follow(mailCount, on)
    const [first, second] = hours.slice(-2)
    if (!first || !second || hours.length < leastEarlier + 2)
      return on.holdRest('Too few hours are known for a baseline.')
    const cluster = clusterKey(gateway, on)
    for (const metric of metrics) {
      const usual = baseline(hours.slice(0, -2).map((hour) => hour[metric]))
      const levels = [first, second].map((hour) => levelOf(hour[metric], usual))
      const isBad = levels.every((level) => level !== undefined)
      if (!isBad && !on.isWatched) continue
      const level = levels.every((one) => one === 'critical') ? 'critical' : 'warning'
      on.emit({
        id: `${cluster}-anomaly-${metric}`,
        type: `anomaly-${metric}`,
        verdict: isBad ? 'bad' : 'fine',
        value: second[metric],
        threshold: Math.ceil(limitsOf(usual)[level]),
        level,
        message: `${words[metric]} of ${name}: ${second[metric]} in an hour (usually ${Math.round(usual)})`,
        metadata: { baseline: usual },
      })
    }
  },
}

/** The known full hours, oldest first. */
function follow(counts: readonly MailHour[], on: Judging): readonly Hour[] {
  const before = on.recall<Hour[]>('hours') ?? []
  const lastAt = before.at(-1)?.at ?? -Infinity
  const added = counts
    .map(hourOf)
    .filter(({ at }) => at > lastAt && at + hourMs <= on.now)
    .sort((a, b) => a.at - b.at)
  if (added.length === 0) return before
  const hours: Hour[] = []
  for (const hour of [...before, ...added]) {
    if (hour.at - (hours.at(-1)?.at ?? hour.at) > mostGapMs) hours.length = 0
    hours.push(hour)
  }
  const kept = hours.slice(-mostHours)
  on.keep('hours', kept)
  return kept
}

const hourOf = ({ timestamp, spamIn, spamOut, virusIn, virusOut }: MailHour): Hour => ({
  at: Date.parse(timestamp),
  spamIn,
  spamOut,
  virusIn,
  virusOut,
})

/** The baseline of the earlier hours. */
export function baseline(earlier: readonly number[]): number {
  const last = earlier.slice(-usualEarlier)
  const sorted = [...last].sort((a, b) => a - b)
  if (last.length < usualEarlier) return mean(sorted) || 1
  const inner = mean(sorted.slice(outermost, -outermost))
  const median = (sorted[sorted.length / 2 - 1]! + sorted[sorted.length / 2]!) / 2
  return (Math.abs(inner - median) > skewed * median ? median : inner) || 1
}

const mean = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0) / counts.length

/** A low baseline uses absolute limits instead of a factor. */
function limitsOf(usual: number): Record<AlertLevel, number> {
  if (usual < 40) return { warning: usual + 60, critical: usual + 120 }
  return { warning: Math.max(usual * 1.8, usual + 150), critical: Math.max(usual * 2.5, usual + 300) }
}

function levelOf(count: number, usual: number): AlertLevel | undefined {
  const { warning, critical } = limitsOf(usual)
  if (count >= critical) return 'critical'
  return count >= warning ? 'warning' : undefined
}
