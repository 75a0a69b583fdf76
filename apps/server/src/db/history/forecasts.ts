import type { Forecast } from '@pulse/contract'
import { readForecasts } from '@pulse/domain'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HistoryFile } from './history-file.ts'
import type { ForecastsAsked } from './messages.ts'

/** The forecasts of those records that have history, in steps between other requests. */
export async function forecastsIn(
  { samples, things }: Pick<HistoryFile, 'samples' | 'things'>,
  { kind, ids, ...asked }: ForecastsAsked,
): Promise<(Forecast | undefined)[]> {
  const numbers = things.find(kind, ids)
  const found = [...new Set(numbers.filter((number) => number !== undefined))]
  const work = readForecasts(samples, { ...asked, things: found })
  let step = work.next()
  for (; !step.done; step = work.next()) await (step.value ?? nextTurn())
  const forecasts = new Map(found.map((number, n) => [number, (step.value as Forecast[])[n]!]))
  return numbers.map((number) => (number === undefined ? undefined : forecasts.get(number)))
}
