import {
  type AlertConfig,
  type AlertMetric,
  mailLimits,
  metricsOfKind,
  type MeasuredKind,
  type RecordKind,
} from '@pulse/contract'
import { createPolicies, guestOfFileSystem } from '@pulse/domain'
import type { LiveReader } from '../../live/store.ts'

/** A value of a figure at which an alert fires, in the unit of the threshold. */
export interface Trigger {
  word: 'Alert' | 'Warning' | 'Critical'
  value: number
}

/** By figure. */
export type Triggers = Readonly<Record<string, readonly Trigger[]>>

const none: Triggers = {}
const isMeasured = (kind: RecordKind): kind is MeasuredKind => Object.hasOwn(metricsOfKind, kind)

/** Where alerts of a thing fire, by the current settings. */
export function triggersOf(config: AlertConfig, live: LiveReader, kind: RecordKind, id: string): Triggers {
  if (kind === 'fileSystems') {
    const { disk } = triggersOf(config, live, 'guests', guestOfFileSystem(id))
    return disk ? { usage: disk } : none
  }
  const record = live.get(kind, id)
  if (!record || (kind !== 'pmg' && !isMeasured(kind))) return none
  const { off, thresholds } = createPolicies(config, (key) => live.get('nodes', key) !== undefined).of(
    kind,
    id,
    record,
  )
  if (off !== undefined) return none
  if (kind === 'pmg') return mailTriggers(config)
  return Object.fromEntries(
    (metricsOfKind[kind] as readonly AlertMetric[]).flatMap((metric) => {
      const value = thresholds[metric]?.trigger ?? 0
      return value > 0 ? [[metric, [{ word: 'Alert', value }]]] : []
    }),
  )
}

/** All gateways have the same limits. */
const mailTriggers = ({ pmgDefaults }: AlertConfig): Triggers =>
  Object.fromEntries(
    Object.entries(mailLimits).map(([figure, [warning, critical]]) => {
      const limits: Trigger[] = [
        { word: 'Warning', value: pmgDefaults[warning] },
        { word: 'Critical', value: pmgDefaults[critical] },
      ]
      return [figure, limits.filter(({ value }) => value > 0)]
    }),
  )
