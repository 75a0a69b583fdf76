/** Formats values. A missing value is '—'. The locale is the browser's, unless a test sets one. */

export const MISSING = '—'

export type Figure = number | null | undefined

const isKnown = (value: Figure): value is number => typeof value === 'number' && Number.isFinite(value)

const byteUnits = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const

/** Figure and unit as separate texts, for tables that mute the unit. */
export interface Parts {
  figure: string
  unit: string
}

export function bytesParts(value: Figure, locale?: string): Parts {
  if (!isKnown(value)) return { figure: MISSING, unit: '' }
  const bytes = Math.max(0, value)
  let step = 0
  let scaled = bytes
  while (step < byteUnits.length - 1 && scaled >= ROUNDS_TO_NEXT) {
    scaled /= 1024
    step += 1
  }
  const digits = digitsFor(scaled, step)
  return { figure: numberFormat(locale, 0, digits).format(scaled), unit: byteUnits[step]! }
}

/** Whole bytes and kilobytes; larger units with one significant decimal. */
const digitsFor = (scaled: number, step: number) => (step < 2 || scaled >= 100 ? 0 : 1)
/** From here on, rounding would show 1,024 of a unit instead of 1 of the next. */
const ROUNDS_TO_NEXT = 1023.5

export function formatBytes(value: Figure, locale?: string): string {
  return join(bytesParts(value, locale))
}

export function rateParts(bytesPerSecond: Figure, locale?: string): Parts {
  const { figure, unit } = bytesParts(bytesPerSecond, locale)
  return { figure, unit: unit && `${unit}/s` }
}

export function formatRate(bytesPerSecond: Figure, locale?: string): string {
  return join(rateParts(bytesPerSecond, locale))
}

/** Always one decimal, so that columns stay aligned. */
export function percentParts(percent: Figure, locale?: string): Parts {
  if (!isKnown(percent)) return { figure: MISSING, unit: '' }
  return { figure: numberFormat(locale, 1, 1).format(percent), unit: '%' }
}

export function formatPercent(percent: Figure, locale?: string): string {
  const { figure, unit } = percentParts(percent, locale)
  return figure + unit
}

export function formatNumber(value: Figure, locale?: string, digits = 0): string {
  return isKnown(value) ? numberFormat(locale, 0, digits).format(value) : MISSING
}

/** With a fixed number of decimals. */
export function formatFixed(value: Figure, digits: number, locale?: string): string {
  return isKnown(value) ? numberFormat(locale, digits, digits).format(value) : MISSING
}

/** '12d 4h', '4h 12m', '12m', '45s'. */
export function formatUptime(seconds: Figure): string {
  if (!isKnown(seconds) || seconds <= 0) return MISSING
  const s = Math.floor(seconds)
  const days = Math.floor(s / 86_400)
  const hours = Math.floor((s % 86_400) / 3600)
  const minutes = Math.floor((s % 3600) / 60)
  if (days > 0) return `${days}d ${hours}h`
  if (hours > 0) return `${hours}h ${minutes}m`
  return minutes > 0 ? `${minutes}m` : `${s}s`
}

/** A duration in one unit: '45 s', '2 min', '3 h', '12 d'. */
export function formatSpan(seconds: number): string {
  const s = Math.max(0, Math.floor(seconds))
  if (s >= 86_400) return `${Math.floor(s / 86_400)} d`
  if (s >= 3600) return `${Math.floor(s / 3600)} h`
  return s >= 60 ? `${Math.floor(s / 60)} min` : `${s} s`
}

const ageUnits = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** '5 seconds ago' to '2 years ago'. A future time counts as now. */
export function formatRelative(epochMs: Figure, nowMs: number, locale?: string): string {
  if (!isKnown(epochMs)) return MISSING
  const seconds = Math.max(0, Math.floor((nowMs - epochMs) / 1000))
  const [unit, size] = ageUnits.find(([, length]) => seconds >= length) ?? ['second', 1]
  return relativeFormat(locale).format(-Math.floor(seconds / size) || 0, unit)
}

/** 12-hour time with seconds for the footer, the same in all locales. */
export function formatClock(epochMs: Figure): string {
  if (!isKnown(epochMs)) return MISSING
  const time = new Date(epochMs)
  const hours = time.getHours()
  const two = (part: number) => String(part).padStart(2, '0')
  return `${hours % 12 || 12}:${two(time.getMinutes())}:${two(time.getSeconds())} ${hours < 12 ? 'AM' : 'PM'}`
}

/** Date and time of day. */
export const formatMoment = (epochMs: Figure, locale?: string): string =>
  isKnown(epochMs) ? momentFormat(locale).format(epochMs) : MISSING

/** A label of a time axis in the locale's format. The span decides between days, minutes and seconds. */
export function formatAxisTime(epochMs: number, spanMs: number, locale?: string): string {
  const [seconds, times, days] = axisFormats(locale)
  if (spanMs > 2 * 86_400_000) return days.format(epochMs)
  return (spanMs > 20 * 60_000 ? times : seconds).format(epochMs)
}

export const formatTemperature = (celsius: Figure, locale?: string): string =>
  isKnown(celsius) ? `${numberFormat(locale, 0, 0).format(celsius)}°C` : MISSING

/** Creates the formatters before the first table needs them. */
export function warmFormats(): void {
  formatBytes(150 * 1024 ** 2)
  formatBytes(1.5 * 1024 ** 2)
  formatPercent(1)
}

const join = ({ figure, unit }: Parts) => (unit ? `${figure} ${unit}` : figure)

/** Formatters by locale, then by minimum and maximum decimals, without building a key text. */
const numberFormats = new Map<string | undefined, Intl.NumberFormat[]>()

function numberFormat(locale: string | undefined, min: number, max: number): Intl.NumberFormat {
  let ofLocale = numberFormats.get(locale)
  if (!ofLocale) numberFormats.set(locale, (ofLocale = []))
  return (ofLocale[min * 32 + max] ??= new Intl.NumberFormat(locale, {
    minimumFractionDigits: min,
    maximumFractionDigits: max,
  }))
}

const cached = <T>(make: (key: string) => T) => {
  const made = new Map<string, T>()
  return (key: string): T => {
    let found = made.get(key)
    if (!found) made.set(key, (found = make(key)))
    return found
  }
}

const relativeFormats = cached(
  (locale) => new Intl.RelativeTimeFormat(locale || undefined, { numeric: 'auto' }),
)
const relativeFormat = (locale = '') => relativeFormats(locale)

const momentFormats = cached(
  (locale) => new Intl.DateTimeFormat(locale || undefined, { dateStyle: 'medium', timeStyle: 'short' }),
)
const momentFormat = (locale = '') => momentFormats(locale)

const axisFormatsOf = cached((locale) =>
  ([{ timeStyle: 'medium' }, { timeStyle: 'short' }, { day: 'numeric', month: 'short' }] as const).map(
    (form) => new Intl.DateTimeFormat(locale || undefined, form),
  ),
)
const axisFormats = (locale = '') =>
  axisFormatsOf(locale) as [Intl.DateTimeFormat, Intl.DateTimeFormat, Intl.DateTimeFormat]
