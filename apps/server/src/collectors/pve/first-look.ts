import type { Shares } from '../../polling/shares.ts'

/** The first poll of something that is polled every few minutes comes soon. */
export function payOrOnce(shares: Shares, name: string, isFirst: boolean): number {
  if (!isFirst) return shares.take(name)
  shares.once(name)
  return 0
}
