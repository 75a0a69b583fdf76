import type { MailGateway, PmgFigure } from '@pulse/contract'
import type { AlertLevel, Condition } from '../condition.ts'
import type { Judging } from '../judging.ts'

/** 0 and below are switched off. */
export interface Limits {
  warn: number
  critical: number
  /** the name of the first in the settings */
  name: string
}

export const limitsOf = ({ config }: Judging, warn: PmgFigure, critical: PmgFigure): Limits => ({
  warn: config.pmgDefaults[warn],
  critical: config.pmgDefaults[critical],
  name: `pmgDefaults.${warn}`,
})

export interface Measured {
  id: string
  type: string
  value: number
  limits: Limits
  /** why it says nothing unless it is beyond a limit */
  held?: string | undefined
  message: (level: AlertLevel) => string
  metadata?: Condition['metadata']
  unit?: Condition['unit']
}

/** What has a limit for a warning and one for a critical alert, and is over below both. */
export function judgeLimits(on: Judging, { value, limits, held, message, ...rest }: Measured): void {
  const { warn, critical, name } = limits
  const isCritical = critical > 0 && value >= critical
  const isBad = isCritical || (warn > 0 && value >= warn)
  if (!isBad && !on.isWatched) return
  const level = isCritical ? 'critical' : 'warning'
  const isOff = warn <= 0 && critical <= 0
  on.emit({
    ...rest,
    verdict: isOff ? 'off' : isBad ? 'bad' : held === undefined ? 'fine' : 'held',
    reason: isOff ? 'Its thresholds are switched off.' : isBad ? undefined : held,
    resource: on.resource,
    value,
    threshold: isCritical || warn <= 0 ? Math.max(0, critical) : warn,
    criticalAt: critical > 0 ? critical : undefined,
    origin: { from: 'defaults', name },
    level,
    message: message(level),
  })
}

/** The gateways of a cluster tell the same of it: the first of them speaks for all. */
export function speakerOf({ cluster }: MailGateway, { record, tables }: Judging): string {
  if (!cluster) return record
  let first = record
  for (const [key, other] of tables.pmg)
    if (other.cluster?.fingerprint === cluster.fingerprint && key < first) first = key
  return first
}
