import type { Shares } from '../../polling/shares.ts'

/** Nobody waits minutes for the first sight of something that is asked once in several minutes. */
export function payOrOnce(shares: Shares, name: string, isFirst: boolean): number {
  if (!isFirst) return shares.take(name)
  shares.once(name)
  return 0
}
