import { counterNames } from '../estate/estate.ts'
import type { Character, Counter, Guest } from '../estate/estate.ts'
import type { GuestReading } from '../estate/reading.ts'
import { dayCurve, noise, rateFactor, ratedSeconds, slotNoise } from './curve.ts'

const stopped: Omit<GuestReading, 'atMs'> = {
  cpu: 0,
  memBytes: 0,
  memHostBytes: 0,
  memCachedBytes: 0,
  diskBytes: 0,
  swapBytes: 0,
  uptimeSeconds: 0,
  netIn: 0,
  netOut: 0,
  diskRead: 0,
  diskWrite: 0,
}

/** The figures of pvestatd at a moment: a pure function of guest and time. */
export function readGuest(guest: Guest, atMs: number): GuestReading {
  if (guest.status === 'stopped') return { atMs, ...stopped }
  const { pins } = guest
  const memBytes =
    pins.memUsed ?? Math.floor(guest.maxMemBytes * guest.balloonShare * memFraction(guest, atMs))
  const totals = allTotals(guest, atMs)
  return {
    atMs,
    cpu: guest.status === 'paused' ? 0 : (pins.cpu ?? cpuFraction(guest, atMs)),
    memBytes,
    memHostBytes: guest.balloonDriver
      ? Math.max(memBytes, Math.floor(guest.maxMemBytes * (0.72 + 0.3 * slotNoise(guest.seed ^ 3, 0, 1))))
      : memBytes,
    memCachedBytes: Math.min(pins.memCached ?? Math.floor(memBytes * cacheShare(guest, atMs)), memBytes),
    diskBytes: pins.diskUsed ?? Math.floor(guest.maxDiskBytes * diskFraction(guest, atMs)),
    swapBytes: Math.floor(guest.maxSwapBytes * 0.1 * slotNoise(guest.seed ^ 7, atMs, 600_000)),
    uptimeSeconds: Math.max(0, Math.floor((atMs - guest.startedAtMs) / 1000)),
    netIn: totals[0],
    netOut: totals[1],
    diskRead: totals[2],
    diskWrite: totals[3],
  }
}

export function cpuFraction(guest: Guest, atMs: number): number {
  const { character, seed } = guest
  if (character.quiet) return round(character.cpuBase * (0.8 + 0.4 * slotNoise(seed, atMs, 600_000)))
  const steady = character.cpuBase * dayCurve(atMs, character.phase) * (0.7 + 0.6 * noise(seed, atMs))
  const surge =
    slotNoise(seed ^ 1, atMs, 180_000) > 0.985 ? 0.3 + 0.3 * slotNoise(seed ^ 2, atMs, 180_000) : 0
  return round(Math.min(0.99, steady + surge))
}

export function memFraction(guest: Guest, atMs: number): number {
  const { character, seed } = guest
  // Without the balloon driver the host counts all memory that QEMU ever touched, plus QEMU's overhead.
  if (!guest.balloonDriver && guest.kind === 'qemu') return 0.98 + 0.08 * slotNoise(seed ^ 3, atMs, 3_600_000)
  if (character.quiet) return character.memBase * (0.9997 + 0.0003 * slotNoise(seed ^ 4, atMs, 600_000))
  const sway = 0.05 * Math.sin((2 * Math.PI * (atMs % 7_200_000)) / 7_200_000 + character.phase)
  return Math.min(0.97, character.memBase * (0.94 + sway + 0.02 * noise(seed ^ 5, atMs)))
}

/** The I/O of applications, which changes slowly. */
export function cacheShare({ seed }: Guest, atMs: number): number {
  const periodMs = 4_000_000 + (seed % 3_000_000)
  return 0.3 + 0.08 * Math.sin((2 * Math.PI * (atMs % periodMs)) / periodMs + seed)
}

/** Logs grow for a week and are then rotated. */
export function diskFraction(guest: Guest, atMs: number): number {
  const weekMs = 604_800_000
  const filled = ((atMs + (guest.seed % weekMs)) % weekMs) / weekMs
  return Math.min(0.99, guest.character.diskBase * (0.97 + 0.03 * filled))
}

const ratesOf = (character: Character): Record<Counter, number> => ({
  netIn: character.netInRate,
  netOut: character.netOutRate,
  diskRead: character.diskReadRate,
  diskWrite: character.diskWriteRate,
})

/** Bytes per second at one moment, for the recorded history. */
export function rateAt(guest: Guest, counter: Counter, atMs: number): number {
  const { quiet, phase } = guest.character
  const pinned = guest.counters[counter].pinned
  if (pinned && atMs >= pinned.sinceMs) return pinned.bytesPerSecond
  return ratesOf(guest.character)[counter] * rateFactor(atMs, quiet, phase)
}

export function totalAt(guest: Guest, counter: Counter, atMs: number): number {
  return allTotals(guest, atMs)[counterNames.indexOf(counter)]!
}

function allTotals(guest: Guest, atMs: number): [number, number, number, number] {
  const { character, counters } = guest
  const until = Math.max(atMs, guest.startedAtMs)
  const seconds = ratedSeconds(guest.startedAtMs, until, character.quiet, character.phase)
  const total = (counter: Counter, rate: number) => {
    const { offsetBytes, pinned } = counters[counter]
    if (!pinned) return Math.floor(rate * seconds + offsetBytes)
    return Math.floor(pinned.fromBytes + (Math.max(0, until - pinned.sinceMs) / 1000) * pinned.bytesPerSecond)
  }
  return [
    total('netIn', character.netInRate),
    total('netOut', character.netOutRate),
    total('diskRead', character.diskReadRate),
    total('diskWrite', character.diskWriteRate),
  ]
}

const round = (value: number): number => Math.round(value * 1e12) / 1e12
