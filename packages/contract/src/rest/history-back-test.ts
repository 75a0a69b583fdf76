import * as z from 'zod/mini'
import { AlertConfig } from '../alert-config.ts'
import { type BackTestKind, type BackTestMetric, backTestMetrics, hasHistory } from '../alert-types.ts'
import { endpoint, readsMonitoring } from '../endpoint.ts'
import { EpochMs } from '../entities/common.ts'

/** Enough for the settings of a large estate. */
const configBodyLimit = 8 * 1024 * 1024
const amount = z.number().check(z.gte(0))

const kinds = Object.keys(backTestMetrics) as [BackTestKind, ...BackTestKind[]]
const metrics = [...new Set(Object.values(backTestMetrics).flat())] as [BackTestMetric, ...BackTestMetric[]]

const BackTestInput = z
  .object({
    kind: z.enum(kinds),
    metric: z.enum(metrics),
    /** the key of one record; absent: all records of the kind */
    id: z.optional(z.string().check(z.minLength(1), z.maxLength(500))),
    /** the whole configuration, as it would be saved */
    config: AlertConfig,
  })
  .check(
    z.refine(({ kind, metric }) => hasHistory(kind, metric), {
      path: ['metric'],
      message: 'Records of this kind have no such metric.',
    }),
  )

/** What the alerts of one metric would have been. Names are those of now. */
export const BackTest = z.object({
  /** The time that was played: the kept minutes, at most 14 days. */
  from: EpochMs,
  to: EpochMs,
  /** Older minutes are kept. They were not played. */
  isCut: z.boolean(),
  /** The threshold is off for each of the resources. */
  isOff: z.boolean(),
  /** first sample within the time; absent without any */
  reaches: z.optional(EpochMs),
  /**
   * The threshold was reached too often to play every resource. The counts are scaled from some of them.
   * `messages` is the least, because alerts share messages. Those in `top` and `alerts` were played.
   */
  estimate: z.optional(
    z.object({
      /** resources that were played */
      played: amount,
      /** resources that reached the threshold */
      of: amount,
    }),
  ),
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
      /** mount point or device of a guest's file system, if the alert is about one */
      fileSystem: z.optional(z.string()),
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
  /**
   * resources whose alerts have no history, or not all of them: guests of more than 64 file systems, or of any
   * while a custom rule has a filter on the disk; mail gateways of several nodes (not their quarantine);
   * containers without a memory limit
   */
  unplayed: amount,
})
export type BackTest = z.infer<typeof BackTest>

/**
 * Plays the kept history with a configuration. A newer call of the same user ends this one with 409. Unknown fields are
 * ignored.
 */
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
