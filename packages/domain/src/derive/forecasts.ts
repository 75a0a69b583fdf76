import type { AnyRecord, Forecast, ForecastKind, ForecastRecord, RecordKind } from '@pulse/contract'
import type { Derivation } from './derivation.ts'

/** The forecasts of one kind of record, by the key of the record. */
export function forecastsOf(kind: ForecastKind) {
  const forecasts = new Map<string, Forecast>()
  return {
    /** Returns the key of the record if it is of this kind. `id`: the key of the forecast. */
    note(id: string, record: ForecastRecord | undefined): string | undefined {
      if (!id.startsWith(`${kind}:`)) return undefined
      const own = id.slice(kind.length + 1)
      if (record) forecasts.set(own, record.forecast)
      else forecasts.delete(own)
      return own
    },
    join<R extends AnyRecord>(id: string, record: R): R {
      const forecast = forecasts.get(id)
      return forecast ? { ...record, forecast } : record
    },
  }
}

/** Joins the forecasts to the records that nothing else completes. */
export function forecasts(...kinds: readonly ForecastKind[]): Derivation {
  const byKind = new Map<RecordKind, ReturnType<typeof forecastsOf>>(
    kinds.map((kind) => [kind, forecastsOf(kind)]),
  )
  return {
    reads: ['forecasts'],
    completes: kinds,
    note(_kind, id, record, touch) {
      for (const [kind, own] of byKind) {
        const key = own.note(id, record as ForecastRecord | undefined)
        if (key !== undefined) touch(kind, key)
      }
    },
    complete: (kind, id, record) => byKind.get(kind)!.join(id, record),
  }
}

/** Joins them to records of a kind that another derivation completes: each kind has one. */
export function withForecasts(kind: ForecastKind, other: Derivation): Derivation {
  const own = forecastsOf(kind)
  return {
    reads: [...other.reads, 'forecasts'],
    completes: other.completes,
    note(of, id, record, touch) {
      if (of !== 'forecasts') return other.note(of, id, record, touch)
      const key = own.note(id, record as ForecastRecord | undefined)
      if (key !== undefined) touch(kind, key)
    },
    complete(of, id, record) {
      const completed = other.complete(of, id, record)
      return completed && of === kind ? own.join(id, completed) : completed
    },
  }
}
