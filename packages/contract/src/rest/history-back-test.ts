import * as z from 'zod/mini'
import { AlertConfig } from '../alert-config.ts'
import { type AlertMetric, alertMetrics, metricsOfKind, type MeasuredKind } from '../alert-types.ts'
import { endpoint, readsMonitoring } from '../endpoint.ts'
import { EpochMs } from '../entities/common.ts'

/** Enough for the settings of a large estate. */
const configBodyLimit = 8 * 1024 * 1024
const keys = <K extends string>(table: Record<K, unknown>) => Object.keys(table) as [K, ...K[]]
const amount = z.number().check(z.gte(0))

const BackTestInput = z
  .object({
    kind: z.enum(keys(metricsOfKind)),
    metric: z.enum(keys(alertMetrics)),
    /** the key of one record; absent: all records of the kind */
    id: z.optional(z.string().check(z.minLength(1), z.maxLength(500))),
    /** the whole configuration, as it would be saved */
    config: AlertConfig,
  })
  .check(
    z.refine(({ kind, metric }) => hasMetric(kind, metric), {
      path: ['metric'],
      message: 'Records of this kind have no such metric.',
    }),
  )

export const hasMetric = (kind: MeasuredKind, metric: AlertMetric): boolean =>
  (metricsOfKind[kind] as readonly AlertMetric[]).includes(metric)

/** What the alerts of one metric would have been. Names are those of now. */
export const BackTest = z.object({
  /** The time that was played, at most 14 days. It is shorter if the threshold would fire too often. */
  from: EpochMs,
  to: EpochMs,
  /** first sample within the time; absent without any */
  reaches: z.optional(EpochMs),
  /** days of the schedule's time zone, by their start */
  perDay: z.array(z.object({ day: EpochMs, count: amount })),
  total: amount,
  totalMs: amount,
  /** resources with an alert */
  things: amount,
  /** those with the most alerts, at most ten */
  top: z.array(z.object({ id: z.string(), name: z.string(), count: amount, totalMs: amount })),
  /** the first 200 */
  alerts: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      level: z.enum(['warning', 'critical']),
      started: EpochMs,
      /** absent: it lasted until the end */
      ended: z.optional(EpochMs),
      /** in the unit of the threshold */
      peak: z.number(),
    }),
  ),
  /** messages to each channel, by the schedule in `config` */
  messages: amount,
  /** guests without an answer: their file systems have no history */
  unplayed: amount,
})
export type BackTest = z.infer<typeof BackTest>

/** Plays the kept history with a configuration. A newer call of the same user ends this one with 409. */
export const postHistoryBackTest = endpoint({
  ...readsMonitoring,
  method: 'POST',
  path: '/api/history/back-test',
  audit: 'none',
  body: BackTestInput,
  bodyLimit: configBodyLimit,
  unknownFields: 'ignored',
  reply: BackTest,
})
