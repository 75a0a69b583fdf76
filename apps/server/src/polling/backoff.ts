const firstMs = 5_000
const longestMs = 300_000
const jitter = 0.2

/** The pause after that many failures in a row: 5 s doubling to 5 min, ±20 % so that sources drift apart. */
export function backoffMs(failures: number, random: () => number = Math.random): number {
  const exponent = Math.min(Math.max(0, failures - 1), 16)
  const plain = Math.min(firstMs * 2 ** exponent, longestMs)
  return Math.min(longestMs, Math.round(plain * (1 - jitter + 2 * jitter * random())))
}
