import { fraction, mix } from '../random.ts'
import type { Mail } from './mail.ts'

/** Ours, which mail comes in to and goes out from, and those of others. */
const names = [
  'example.com',
  'mail.example.org',
  'shop.example',
  'example.net',
  'news.example',
  'lists.example.com',
]

/** A mail counts for the domain it is for, and for the one it is from: sums are texts, bytes no whole numbers. */
export function domainRows(seed: number, sum: Mail) {
  const weights = names.map((_, n) => (0.4 + fraction(mix(seed, 77), n)) / (n + 1))
  const all = weights.reduce((left, right) => left + right, 0)
  return names.map((domain, n) => {
    const part = (count: number) => String(Math.floor((count * weights[n]!) / all))
    return {
      domain,
      count_in: part(sum.in),
      count_out: part(sum.out),
      bytes_in: (sum.bytesIn * weights[n]!) / all,
      bytes_out: (sum.bytesOut * weights[n]!) / all,
      spamcount_in: part(sum.spamIn),
      spamcount_out: part(sum.spamOut),
      viruscount_in: part(sum.virusIn),
      viruscount_out: '0',
    }
  })
}
