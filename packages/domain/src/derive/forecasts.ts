import type {
  AnyRecord,
  Forecast,
  ForecastKind,
  ForecastRecord,
  Guest,
  GuestDisk,
  RecordKind,
} from '@pulse/contract'
import { fileSystemId, guestOfFileSystem } from '../file-systems.ts'
import type { Derivation } from './derivation.ts'

/** The forecasts of one kind of record, by the key of the record. */
function forecastsOf(kind: ForecastKind, isJoined: (forecast: Forecast) => boolean = () => true) {
  const forecasts = new Map<string, Forecast>()
  const prefix = `${kind}:`
  return {
    get: (id: string) => forecasts.get(id),
    /** Returns the key of the record if it is of this kind and changes. `id`: the key of the forecast. */
    note(id: string, record: ForecastRecord | undefined): string | undefined {
      if (!id.startsWith(prefix)) return undefined
      const own = id.slice(prefix.length)
      if (!record || !isJoined(record.forecast)) return forecasts.delete(own) ? own : undefined
      forecasts.set(own, record.forecast)
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

/** Pages show nothing for a guest without a date, and most guests have none. */
const hasDate = ({ fullAt }: Forecast) => fullAt !== undefined

/** Joins them to guests, which another derivation completes: each kind has one. */
export function withGuestForecasts(other: Derivation): Derivation {
  const [ofGuests, ofFileSystems] = [forecastsOf('guests', hasDate), forecastsOf('fileSystems', hasDate)]
  /** dated file systems by guest: most guests have none */
  const dated = new Map<string, Set<string>>()

  function noteFileSystem(id: string): string {
    const guestId = guestOfFileSystem(id)
    const own = dated.get(guestId) ?? new Set()
    if (ofFileSystems.get(id)) own.add(id)
    else own.delete(id)
    if (own.size > 0) dated.set(guestId, own)
    else dated.delete(guestId)
    return guestId
  }

  function withDisks(id: string, guest: Guest): Guest {
    if (!guest.disks || !dated.has(id)) return guest
    const join = (disk: GuestDisk, index: number) => {
      const forecast = ofFileSystems.get(fileSystemId(id, disk, index))
      return forecast ? { ...disk, forecast } : disk
    }
    return { ...guest, disks: guest.disks.map(join) }
  }

  return {
    reads: [...other.reads, 'forecasts'],
    completes: other.completes,
    note(kind, id, record, touch) {
      if (kind !== 'forecasts') return other.note(kind, id, record, touch)
      const forecast = record as ForecastRecord | undefined
      const guest = ofGuests.note(id, forecast)
      const fileSystem = ofFileSystems.note(id, forecast)
      if (guest !== undefined) touch('guests', guest)
      if (fileSystem !== undefined) touch('guests', noteFileSystem(fileSystem))
    },
    complete(kind, id, record) {
      const completed = other.complete(kind, id, record)
      return completed && kind === 'guests' ? withDisks(id, ofGuests.join(id, completed as Guest)) : completed
    },
  }
}
