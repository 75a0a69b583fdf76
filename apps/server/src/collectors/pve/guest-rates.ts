import type { SampledGuestField } from '@pulse/contract'
import { addSample, type Counters, type RateWindow } from './rates.ts'
import type { PveGuest, PveGuestStatus } from './schema.ts'

/** The facts about a guest from which rates are computed. */
export interface RatedGuest {
  node: string
  /** the last listing with figures */
  raw: PveGuest
  rates: Partial<Record<SampledGuestField, number | undefined>>
  windows: { network?: RateWindow; disk?: RateWindow }
}

/** A late report repeats counters and uptime, or is older than the last. An idle guest's uptime grows. */
export function sampleListing(facts: RatedGuest, before: PveGuest, at: number): void {
  const { netin = 0, netout = 0, diskread = 0, diskwrite = 0, uptime } = facts.raw
  const isOlder = uptime !== undefined && before.uptime !== undefined && uptime < before.uptime
  // A restart has emptied the windows, and another node counts separately.
  if (isOlder && before.node === facts.node && (facts.windows.network || facts.windows.disk)) return
  const isLate = uptime !== undefined && uptime === before.uptime
  const repeats = (
    window: RateWindow | undefined,
    ...fields: ('netin' | 'netout' | 'diskread' | 'diskwrite')[]
  ) => window !== undefined && isLate && fields.every((field) => facts.raw[field] === before[field])
  const { network, disk } = facts.windows
  if ((netin > 0 || netout > 0) && !repeats(network, 'netin', 'netout'))
    sample(facts, 'network', 'listing', at, [netin, netout])
  if ((diskread > 0 || diskwrite > 0) && !repeats(disk, 'diskread', 'diskwrite'))
    sample(facts, 'disk', 'listing', at, [diskread, diskwrite])
}

/** status/current is used if the listing lacks counters. It arrives every minute or two. */
export function sampleReport(facts: RatedGuest, value: PveGuestStatus, at: number): void {
  const { netin, netout, diskread, diskwrite } = value
  if (!facts.raw.netin && !facts.raw.netout && netin !== undefined && netout !== undefined)
    sample(facts, 'network', 'report', at, [netin, netout])
  if (!facts.raw.diskread && !facts.raw.diskwrite && diskread !== undefined && diskwrite !== undefined)
    sample(facts, 'disk', 'report', at, [diskread, diskwrite])
}

function sample(
  facts: RatedGuest,
  pair: 'network' | 'disk',
  report: string,
  at: number,
  counters: Counters,
): void {
  // The node is part of the origin: counters restart after a migration.
  const window = addSample(facts.windows[pair], `${report} ${facts.node}`, at, counters)
  if (window === facts.windows[pair]) return
  facts.windows[pair] = window
  const [first, second] = window.rates ?? []
  facts.rates = {
    ...facts.rates,
    ...(pair === 'network'
      ? { networkIn: first, networkOut: second }
      : { diskRead: first, diskWrite: second }),
  }
}
