import * as z from 'zod/mini'
import { EpochMs } from './common.ts'

/** The kinds of things that can be full, with the figure that says how full. */
export const forecastFigures = {
  storage: 'usage',
  datastores: 'usage',
  cephClusters: 'usage',
  guests: 'disk',
  fileSystems: 'usage',
} as const
export type ForecastKind = keyof typeof forecastFigures
export const forecastKinds = Object.keys(forecastFigures) as ForecastKind[]

/**
 * Why there is no date: too little history since it was set up or since its usage jumped; it does not grow;
 * it grows too irregularly; or it will be full in more than two years.
 */
export const NoForecast = z.enum(['short', 'flat', 'irregular', 'late'])
export type NoForecast = z.infer<typeof NoForecast>

/** When a thing will be full if it grows as it did. Either `fullAt` or `reason` is set. */
export const Forecast = z.object({
  fullAt: z.optional(EpochMs),
  /** 95 % of the growth rates that fit the history lead to a time between these two */
  earliestAt: z.optional(EpochMs),
  /** absent: more than two years away */
  latestAt: z.optional(EpochMs),
  /** start of the history that it is based on */
  since: z.optional(EpochMs),
  reason: z.optional(NoForecast),
  /** with `short`: its usage fell, or it grows so slowly that the date is far away in any case */
  hasEased: z.optional(z.literal(true)),
})
export type Forecast = z.infer<typeof Forecast>

/** The forecast of a record. The state joins it to that record. */
export const ForecastRecord = z.object({
  kind: z.enum(forecastKinds),
  /** key of the record */
  id: z.string(),
  forecast: Forecast,
})
export type ForecastRecord = z.infer<typeof ForecastRecord>
