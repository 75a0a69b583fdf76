import { dayCurve } from '../load/curve.ts'
import { fraction, mix } from '../random.ts'

export const hourSeconds = 3600

/** Mail traffic in a period. Bytes are sums of MiB and therefore fractional. */
export interface Mail {
  in: number
  out: number
  spamIn: number
  spamOut: number
  virusIn: number
  bouncesIn: number
  bouncesOut: number
  greylisted: number
  spf: number
  rbl: number
  pregreet: number
  bytesIn: number
  bytesOut: number
  /** Sum over all mails. */
  seconds: number
}

const none: Mail = {
  in: 0,
  out: 0,
  spamIn: 0,
  spamOut: 0,
  virusIn: 0,
  bouncesIn: 0,
  bouncesOut: 0,
  greylisted: 0,
  spf: 0,
  rbl: 0,
  pregreet: 0,
  bytesIn: 0,
  bytesOut: 0,
  seconds: 0,
}

/** Mail between two moments, without mail later than now. */
export function mailBetween(seed: number, from: number, until: number, now: number): Mail {
  const sum = { ...none }
  const end = Math.min(until, now)
  for (let hour = Math.floor(from / hourSeconds); hour * hourSeconds < end; hour++) {
    const start = Math.max(from, hour * hourSeconds)
    const share = (Math.min(end, (hour + 1) * hourSeconds) - start) / hourSeconds
    const mail = mailInHour(seed, hour, (start % hourSeconds) / hourSeconds, share)
    for (const name of Object.keys(sum) as (keyof Mail)[]) sum[name] += mail[name]
  }
  return sum
}

/** Mail in a part of an hour; `begins` and `lasts` are fractions of the hour. The parts of an hour add up to it. */
function mailInHour(seed: number, hour: number, begins: number, lasts: number): Mail {
  const luck = (what: number) => fraction(mix(seed, what), hour)
  // At night some hours have no mail.
  const busy = dayCurve(hour * hourSeconds * 1000, 4.5)
  if (busy < 0.4 && luck(0) < 0.25) return none
  const arrivals = Math.floor(300 * busy * (0.4 + luck(1)))
  const part = (count: number) =>
    Math.floor(count * (begins + lasts) + 1e-6) - Math.floor(count * begins + 1e-6)
  const inbound = part(arrivals)
  const outbound = part(Math.floor(arrivals * 0.4 * luck(2)))
  const mib = 1024 ** 2
  return {
    in: inbound,
    out: outbound,
    spamIn: part(Math.floor(arrivals * 0.18 * luck(3))),
    spamOut: part(luck(4) < 0.03 ? 1 : 0),
    virusIn: part(Math.floor(3 * luck(5) ** 3)),
    bouncesIn: part(Math.floor(arrivals * 0.03 * luck(6))),
    bouncesOut: part(Math.floor(arrivals * 0.02 * luck(7))),
    greylisted: part(Math.floor(arrivals * 0.09 * luck(8))),
    spf: part(Math.floor(4 * luck(9))),
    rbl: part(Math.floor(arrivals * 0.35 * luck(10))),
    pregreet: part(luck(11) < 0.6 ? 0 : Math.floor(9 * luck(11))),
    bytesIn: inbound * (0.02 + 0.11 * luck(12)) * mib,
    bytesOut: outbound * (0.02 + 0.2 * luck(13)) * mib,
    seconds: (inbound + outbound) * (0.4 + luck(14)),
  }
}
