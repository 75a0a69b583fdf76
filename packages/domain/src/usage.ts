/** Percent 0-100; 0 when the total is 0. */
export const percentOf = (used: number, total: number): number => (total > 0 ? (used / total) * 100 : 0)

/** Free and percent are computed from used and total everywhere, so the compact wire omits them. */
export function usageOf(
  used: number,
  total: number,
): { total: number; used: number; free: number; usage: number } {
  return { total, used, free: Math.max(0, total - used), usage: percentOf(used, total) }
}
