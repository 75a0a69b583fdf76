/** 32-bit hash of a text (FNV-1a with a final mix): the origin of all seeds. */
export function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return mix(value, text.length)
}

/** Hashes two integers to one well-distributed unsigned 32-bit integer. */
export function mix(first: number, second: number): number {
  let value = Math.imul(first ^ Math.imul(second, 0x9e3779b1), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

/** Hashes two integers to a fraction in [0, 1). */
export const fraction = (first: number, second: number): number => mix(first, second) / 4294967296

/** Random values that depend only on a seed and their order. */
export interface Dice {
  next(): number
  int(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** `[weight, value]` pairs. */
  weighted<T>(pairs: readonly (readonly [number, T])[]): T
  hex(digits: number): string
}

export function dice(seed: number): Dice {
  let drawn = 0
  const next = () => fraction(seed, ++drawn)
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (list) => list[int(0, list.length - 1)]!,
    weighted(pairs) {
      let left = next() * pairs.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, value] of pairs) {
        left -= weight
        if (left < 0) return value
      }
      return pairs.at(-1)![1]
    },
    hex: (digits) => Array.from({ length: digits }, () => int(0, 15).toString(16)).join(''),
  }
}

export function seededUuid(seed: number): string {
  const draw = dice(seed)
  const variant = '89ab'[draw.int(0, 3)]!
  return `${draw.hex(8)}-${draw.hex(4)}-4${draw.hex(3)}-${variant}${draw.hex(3)}-${draw.hex(12)}`
}
