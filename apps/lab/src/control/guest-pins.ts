import { counterNames, touchGuest } from '../estate/estate.ts'
import type { Counter, Guest } from '../estate/estate.ts'
import { totalAt } from '../load/guest-reading.ts'
import type { GuestPatch } from './guest-patch.ts'

/** Pins the figures of a patch; `null` releases one. */
export function pinFigures(guest: Guest, patch: GuestPatch, atMs: number): void {
  for (const pin of ['cpu', 'memUsed', 'memCached', 'diskUsed'] as const) {
    const value = patch[pin]
    if (value === null) delete guest.pins[pin]
    else if (value !== undefined) guest.pins[pin] = value
  }
  for (const [field, counter] of rateCounters) {
    const rate = patch[field]
    if (rate !== undefined) pinRate(guest, counter, rate, atMs)
  }
}

/** A new process: its uptime and counters start at zero; pinned rates stay. */
export function startGuest(guest: Guest, atMs: number): void {
  guest.startedAtMs = atMs
  for (const name of counterNames) {
    const { pinned } = guest.counters[name]
    guest.counters[name] = { offsetBytes: 0, pinned: pinned && { ...pinned, sinceMs: atMs, fromBytes: 0 } }
  }
}

/** Releases every pinned figure. */
export function unpinGuest(guest: Guest, atMs: number): void {
  guest.pins = {}
  guest.fate = guest.ownFate
  for (const name of counterNames) {
    if (guest.counters[name].pinned) pinRate(guest, name, null, atMs)
  }
  touchGuest(guest)
}

const rateCounters = [
  ['netInRate', 'netIn'],
  ['netOutRate', 'netOut'],
  ['diskReadRate', 'diskRead'],
  ['diskWriteRate', 'diskWrite'],
] as const satisfies readonly (readonly [keyof GuestPatch, Counter])[]

/** A counter continues from its value when a rate is pinned and when it is released. */
function pinRate(guest: Guest, counter: Counter, bytesPerSecond: number | null, atMs: number): void {
  const state = guest.counters[counter]
  const before = totalAt(guest, counter, atMs)
  state.pinned = undefined
  if (bytesPerSecond === null) {
    state.offsetBytes += before - totalAt(guest, counter, atMs)
  } else {
    state.pinned = { sinceMs: atMs, fromBytes: before, bytesPerSecond }
  }
}
