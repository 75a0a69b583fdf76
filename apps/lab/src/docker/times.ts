import { mix } from '../random.ts'

/** With nanoseconds, and no zeros at the end, as programs in Go write it. */
export function goTime(atMs: number, seed: number): string {
  const [seconds, milliseconds] = new Date(atMs).toISOString().slice(0, -1).split('.') as [string, string]
  const below = String(mix(seed, Math.floor(atMs)) % 1_000_000).padStart(6, '0')
  const fraction = `${milliseconds}${below}`.replace(/0+$/, '')
  return `${seconds}${fraction && `.${fraction}`}Z`
}

/** To the second, by a clock on the wall there. */
export function zonedTime(atMs: number, zoneMinutes: number): string {
  const wall = new Date(atMs + zoneMinutes * 60_000).toISOString().slice(0, 19)
  if (zoneMinutes === 0) return `${wall}Z`
  const minutes = Math.abs(zoneMinutes)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${wall}${zoneMinutes < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
