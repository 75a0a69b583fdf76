import { type LimitedMail, mailLimits, type MailGateway, type PmgFigure } from '@pulse/contract'
import type { AlertLevel, Condition } from '../condition.ts'
import type { Judging } from '../judging.ts'

/** 0 and below: off. */
export interface Limits {
  warn: number
  critical: number
  /** the name of the warning limit in the settings */
  name: string
}

type Pair = (typeof mailLimits)[LimitedMail]
const pairs = Object.entries(mailLimits) as [LimitedMail, Pair][]

/** The figure that a limit belongs to, and both of its limits. */
export const limitsOfMail = (name: string): [LimitedMail, Pair] =>
  pairs.find(([, pair]) => (pair as readonly string[]).includes(name))!

export const limitsOf = ({ config }: Judging, warn: PmgFigure, critical: PmgFigure): Limits => ({
  warn: config.pmgDefaults[warn],
  critical: config.pmgDefaults[critical],
  name: `pmgDefaults.${warn}`,
})

export interface Measured {
  id: string
  type: Condition['type']
  value: number
  limits: Limits
  /** why it is held unless it exceeds a limit */
  held?: string | undefined
  message: (level: AlertLevel) => string
  metadata?: Condition['metadata']
}

/** Compares a value with a warning and a critical limit. */
export function judgeLimits(on: Judging, { value, limits, held, message, ...rest }: Measured): void {
  const { warn, critical, name } = limits
  const before = on.openAlert(rest.id)
  const isCritical = critical > 0 && value >= (before?.level === 'critical' ? wellBelow(critical) : critical)
  const lowest = Math.min(...[warn, critical].filter((limit) => limit > 0))
  const isBad = isCritical || value >= lowest
  if (!isBad && !on.isWatched) return
  const isBetween = !isBad && before !== undefined && value >= wellBelow(lowest)
  const level = isCritical ? 'critical' : 'warning'
  const isOff = warn <= 0 && critical <= 0
  on.emit({
    ...rest,
    verdict: isOff ? 'off' : isBad ? 'bad' : held !== undefined ? 'held' : isBetween ? 'between' : 'fine',
    reason: isOff ? 'Its thresholds are switched off.' : isBad ? undefined : held,
    value,
    threshold: isCritical || warn <= 0 ? Math.max(0, critical) : warn,
    criticalAt: critical > 0 ? critical : undefined,
    origin: { from: 'defaults', name },
    level,
    message: message(level),
  })
}

/** Hysteresis: an alert ends this far below its limit. */
const marginShare = 0.05

export const wellBelow = (limit: number): number =>
  limit > 1 ? limit - Math.max(1, Math.floor(limit * marginShare)) : limit

/**
 * Gateways of a cluster report the same values. Their alerts use the key of the first gateway, reachable or
 * not.
 */
export function clusterKey({ cluster }: MailGateway, on: Judging): string {
  const { record, tables } = on
  if (!cluster) return record
  const firsts = on.once('first gateways of clusters', () => firstByCluster(tables.pmg))
  return firsts.get(cluster.fingerprint) ?? record
}

export function firstByCluster(gateways: ReadonlyMap<string, MailGateway>): ReadonlyMap<string, string> {
  const firsts = new Map<string, string>()
  for (const [key, { cluster }] of gateways) {
    if (!cluster) continue
    const first = firsts.get(cluster.fingerprint)
    if (first === undefined || key < first) firsts.set(cluster.fingerprint, key)
  }
  return firsts
}
