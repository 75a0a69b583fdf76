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

/** The forecasts of file systems, by guest and by id. */
function fileSystemForecasts() {
  const ofGuest = new Map<string, Map<string, Forecast>>()
  const prefix = 'fileSystems:'
  return {
    /** Returns the key of the guest if it is one of a file system. `id`: the key of the forecast. */
    note(id: string, record: ForecastRecord | undefined): string | undefined {
      if (!id.startsWith(prefix)) return undefined
      const own = id.slice(prefix.length)
      const guestId = guestOfFileSystem(own)
      const known = ofGuest.get(guestId) ?? new Map<string, Forecast>()
      if (record) ofGuest.set(guestId, known.set(own, record.forecast))
      else if (known.delete(own) && known.size === 0) ofGuest.delete(guestId)
      return guestId
    },
    join(guestId: string, guest: Guest): Guest {
      const forecasts = ofGuest.get(guestId)
      if (!forecasts || !guest.disks) return guest
      const join = (disk: GuestDisk, index: number) => {
        const forecast = forecasts.get(fileSystemId(guestId, disk, index))
        return forecast ? { ...disk, forecast } : disk
      }
      return { ...guest, disks: guest.disks.map(join) }
    },
  }
}

/** Joins them to guests, which another derivation completes: each kind has one. */
export function withGuestForecasts(other: Derivation): Derivation {
  const [ofGuests, ofFileSystems] = [forecastsOf('guests'), fileSystemForecasts()]
  return {
    reads: [...other.reads, 'forecasts'],
    completes: other.completes,
    note(kind, id, record, touch) {
      if (kind !== 'forecasts') return other.note(kind, id, record, touch)
      const forecast = record as ForecastRecord | undefined
      const guest = ofGuests.note(id, forecast) ?? ofFileSystems.note(id, forecast)
      if (guest !== undefined) touch('guests', guest)
    },
    complete(kind, id, record) {
      const completed = other.complete(kind, id, record)
      return completed && kind === 'guests'
        ? ofFileSystems.join(id, ofGuests.join(id, completed as Guest))
        : completed
    },
  }
}
