export type FigureUnit =
  'ratio' | 'percent' | 'bytes' | 'bytes/s' | '°C' | 'cores' | 'seconds' | 'ms' | 'count' | 'state'

/** A number that a collector measures at every poll, stored as a separate field of the record. */
interface SampledField {
  unit: FigureUnit
  history: 'gauge' | 'rate'
  /** Name and type do not change after a release. */
  prometheus?: { name: string; help: string }
  /** column header on the Overview; only for rates */
  column?: string
}

const rate = (column: string, name: string, help: string) =>
  ({
    unit: 'bytes/s',
    history: 'rate',
    column,
    prometheus: { name: `pulse_guest_${name}_bytes_per_second`, help: `${help}, in bytes per second.` },
  }) as const

/**
 * The sampled fields of a guest. Schema, wire rounding, documented state, figures, search and columns all use
 * this table. A collector fills the fields.
 */
export const sampledGuestFields = {
  diskRead: rate('Disk Read', 'disk_read', 'Disk read rate of the guest'),
  diskWrite: rate('Disk Write', 'disk_written', 'Disk write rate of the guest'),
  networkIn: rate('Net In', 'network_received', 'Network receive rate of the guest'),
  networkOut: rate('Net Out', 'network_sent', 'Network transmit rate of the guest'),
} as const satisfies Record<string, SampledField>
export type SampledGuestField = keyof typeof sampledGuestFields

export const sampledGuestFieldNames = Object.keys(sampledGuestFields) as SampledGuestField[]

/** Rates with a column on the Overview. */
export type GuestRate = {
  [F in SampledGuestField]: (typeof sampledGuestFields)[F] extends { column: string } ? F : never
}[SampledGuestField]
export const guestRates = sampledGuestFieldNames.filter(
  (field): field is GuestRate => 'column' in sampledGuestFields[field],
)

const forFields =
  <F extends SampledGuestField>(fields: readonly F[]) =>
  <T>(make: (field: F, entry: SampledField) => T) =>
    Object.fromEntries(fields.map((field) => [field, make(field, sampledGuestFields[field])])) as Record<F, T>

/** Maps each sampled field, or each rate, to a value. */
export const forSampledGuestFields = forFields(sampledGuestFieldNames)
export const forGuestRates = forFields(guestRates)
