import {
  type Forecast,
  forecastFigures,
  type ForecastKind,
  forecastKinds,
  type ForecastRecord,
  type Guest,
  kinds,
} from '@pulse/contract'
import { type Clock, isSameForecast, reportsFileSystems, sampledFields } from '@pulse/domain'
import type { Logger } from 'pino'
import type { State } from '../state/state.ts'
import { createTicker, type Ticker } from '../timing/ticker.ts'
import { forEachYielding } from '../timing/yield.ts'
import { isOfHistory } from './failing.ts'
import type { History } from './history.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** A thing without a date needs days to get one, so it is read less often. */
const undatedMs = 6 * hourMs
/** A forecast that could not be made again for this long is withdrawn. */
const withdrawnAfterMs = 12 * hourMs
/** One request to the thread reads this many things. */
const thingsPerRequest = 100
const source = 'forecasts'

/** Ceph refuses to write at its full ratio, 95 % by default. */
const fullPercent: Partial<Record<ForecastKind, number>> = { cephClusters: 95 }

export interface ForecastEdges {
  history: Pick<History, 'forecasts' | 'tables' | 'numberOf'>
  state: State
  clock: Clock
  log: Logger
  onFault: (error: unknown) => void
}

export interface Forecasts {
  start(): void
  stop(): void
  /** The history is another one. The forecasts of it follow within a minute. */
  restart(): void
}

interface Made {
  /** monotonic */
  at: number
  /** of the wall clock to the monotonic one */
  offset: number
  /** of its thing in the history, if that had one */
  number: number | undefined
  record: ForecastRecord
}

/**
 * Publishes when each thing will be full: once an hour for those with a date, every six hours for others, and
 * within a minute for a new thing and after a start.
 * Reading and fitting happen in the thread of the history.
 */
export function createForecasts({ history, state, clock, log, onFault }: ForecastEdges): Forecasts {
  const made = new Map<string, Made>()
  let ticker: Ticker | undefined
  /** counts restarts: an answer from before one is dropped */
  let run = 0
  let isChanged = false
  let isFailing = false

  async function renew() {
    const own = run
    try {
      for (const kind of forecastKinds) if (own === run) await renewKind(kind, own)
      isFailing = false
    } finally {
      if (own === run) await publish(own)
    }
  }

  /** A guest that reports its file systems has a forecast of each. One of the sum would hide them. */
  function has(kind: ForecastKind, id: string): boolean {
    const record = history.tables[kind].get(id)
    return record !== undefined && !(kind === 'guests' && reportsFileSystems(record as Guest))
  }

  /** Another guest may have taken the VMID. While a thing has no number, it is not known whether it is another one. */
  function isOfAnother({ record: { kind, id }, number }: Made): boolean {
    const current = history.numberOf(kind, id)
    return current !== undefined && current !== number
  }

  const offsetNow = () => clock.now() - clock.monotonic()

  /** The clock was set, or the machine slept, so its dates are those of another time. */
  const isOfOtherDate = ({ offset }: Made) => Math.abs(offsetNow() - offset) >= hourMs

  const isOutdated = (one: Made) => isOfAnother(one) || isOfOtherDate(one)

  async function renewKind(kind: ForecastKind, own: number) {
    const now = clock.monotonic()
    const field = sampledFields.find((one) => one.kind === kind && one.name === forecastFigures[kind])!
    const due: string[] = []
    await forEachYielding(history.tables[kind].keys(), (id) => {
      if (!has(kind, id)) return
      const before = made.get(kinds.forecasts.key({ kind, id }))
      if (!before || isOutdated(before) || now - before.at >= renewedAfterMs(before)) due.push(id)
    })
    for (let n = 0; n < due.length; n += thingsPerRequest) {
      const ids = due.slice(n, n + thingsPerRequest)
      const numbers = ids.map((id) => history.numberOf(kind, id))
      const found = await history.forecasts(field, ids, fullPercent[kind] ?? 100)
      if (own !== run) return
      for (const [at, forecast] of found.entries()) if (forecast) keep(kind, ids[at]!, numbers[at], forecast)
    }
  }

  function keep(kind: ForecastKind, id: string, number: number | undefined, fresh: Forecast) {
    const key = kinds.forecasts.key({ kind, id })
    const before = made.get(key)?.record
    const isSame = before !== undefined && isSameForecast(before.forecast, fresh, clock.now())
    if (!isSame) isChanged = true
    const record = isSame ? before : { kind, id, forecast: fresh }
    made.set(key, { record, number, at: clock.monotonic(), offset: offsetNow() })
  }

  /** Without things that are gone, and without forecasts that nothing has confirmed. */
  async function publish(own: number) {
    const now = clock.monotonic()
    const records = new Map<string, ForecastRecord>()
    await forEachYielding(made, ([key, one]) => {
      const { record, at } = one
      const isKnown = has(record.kind, record.id) && !isOutdated(one)
      if (isKnown && now - at < withdrawnAfterMs) records.set(key, record)
      else isChanged = made.delete(key)
    })
    if (own !== run || !isChanged) return
    isChanged = false
    await state.observeInSteps({ source, records: { forecasts: records } })
  }

  /** The history reports itself that it cannot be read. */
  function onError(error: unknown) {
    if (!isOfHistory(error)) return onFault(error)
    if (!isFailing) log.warn({ err: error }, 'cannot renew the forecasts')
    isFailing = true
  }

  return {
    start() {
      ticker = createTicker({ clock, intervalMs: minuteMs, run: renew, onError })
    },
    stop() {
      run++
      ticker?.stop()
    },
    restart() {
      run++
      made.clear()
      isChanged = true
    },
  }
}

const renewedAfterMs = ({ record: { forecast } }: Made): number =>
  forecast.fullAt === undefined ? undatedMs : hourMs
