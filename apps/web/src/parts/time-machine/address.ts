/** The parameter of an address that shows the past: epoch ms, or an ISO time. */
const name = 'at'
/** Browsers would read much more as a time, such as `-5`. */
const isoTime = /^\d{4}-\d\d-\d\dT/
/** The largest time of a date. */
const most = 8.64e15

/** The moment in the query of an address; undefined without one, or with one that is no time. */
export function momentIn(search: string): number | undefined {
  const text = search && new URLSearchParams(search).get(name)
  if (!text) return undefined
  const at = /^\d+$/.test(text) ? Number(text) : isoTime.test(text) ? Date.parse(text) : NaN
  return at >= 0 && at <= most ? at : undefined
}

/** The address at that moment; undefined: now. Keeps its other parameters. */
export function addressAt(href: string, at: number | undefined): string {
  const [, path = '', search = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(href) ?? []
  const params = new URLSearchParams(search)
  params.delete(name)
  if (at !== undefined) params.set(name, String(at))
  return path + (params.size > 0 ? `?${params}` : '') + hash
}

/** A link on a page of the past leads to the same moment, unless it names another one. */
export const carryMoment = (href: string, search: string): string => {
  const at = momentIn(search)
  const own = /^[^?#]*(\?[^#]*)?/.exec(href)?.[1] ?? ''
  return at === undefined || new URLSearchParams(own).has(name) ? href : addressAt(href, at)
}

const secondMs = 1_000
const minuteMs = 60 * secondMs

/**
 * A moment at which an alert was active: a whole minute, at least a minute after its cause began, because alerts are
 * raised after a delay. For a short one, the second before its end.
 */
export const momentOfAlert = (beganAt: number, endedAt: number): number =>
  Math.max(beganAt, Math.min((Math.floor(beganAt / minuteMs) + 2) * minuteMs, endedAt - secondMs))
