import { fraction } from '../random.ts'

const dayMs = 86_400_000

/** From 0.3 at night to 1 in busy hours. */
export function dayCurve(atMs: number, phase: number): number {
  return 0.65 + 0.35 * Math.sin((2 * Math.PI * (atMs % dayMs)) / dayMs + phase)
}

/** A value in [0, 1) that stays the same within each slot of time. */
export function slotNoise(seed: number, atMs: number, slotMs: number): number {
  return fraction(seed, Math.floor((atMs + (seed % slotMs)) / slotMs))
}

/** A different value in [0, 1) for every moment. */
export function noise(seed: number, atMs: number): number {
  return fraction(seed ^ 0x5bd1e995, Math.floor(atMs / 1000) ^ Math.imul(atMs % 1000, 0x27d4eb2f))
}

interface Wave {
  amplitude: number
  periodSeconds: number
}

/** Amplitudes sum to less than 1, so the rate stays positive and the total only grows. */
const quietWaves: readonly Wave[] = [{ amplitude: 0.3, periodSeconds: 86_400 }]
const busyWaves: readonly Wave[] = [
  { amplitude: 0.4, periodSeconds: 86_400 },
  { amplitude: 0.3, periodSeconds: 613 },
  { amplitude: 0.25, periodSeconds: 47 },
]

/** Seconds of average rate between two moments: the integral of a rate that is a sum of waves, in closed form. */
export function ratedSeconds(fromMs: number, toMs: number, quiet: boolean, phase: number): number {
  const from = fromMs / 1000
  const to = toMs / 1000
  let total = to - from
  for (const { amplitude, periodSeconds } of quiet ? quietWaves : busyWaves) {
    const speed = (2 * Math.PI) / periodSeconds
    const angle = phase * periodSeconds
    total -= (amplitude / speed) * (Math.cos(speed * to + angle) - Math.cos(speed * from + angle))
  }
  return total
}

/** The rate at one moment as a multiple of the average. */
export function rateFactor(atMs: number, quiet: boolean, phase: number): number {
  let factor = 1
  for (const { amplitude, periodSeconds } of quiet ? quietWaves : busyWaves) {
    factor += amplitude * Math.sin(((2 * Math.PI) / periodSeconds) * (atMs / 1000) + phase * periodSeconds)
  }
  return factor
}
