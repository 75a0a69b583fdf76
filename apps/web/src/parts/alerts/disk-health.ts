import type { PhysicalDisk, ZfsPool } from '@pulse/contract'

export type DiskHealth = 'HEALTHY' | 'LOW LIFE' | 'FAILED' | 'UNKNOWN'

const good: ReadonlySet<string> = new Set(['PASSED', 'OK', 'GOOD'])

/** A disk that passes its own test can still be near the end of its life. */
export function diskHealth({ health, wearout }: Pick<PhysicalDisk, 'health' | 'wearout'>): DiskHealth {
  const word = health.trim().toUpperCase()
  if (good.has(word)) return wearout >= 1 && wearout < 10 ? 'LOW LIFE' : 'HEALTHY'
  return word === 'FAILED' ? 'FAILED' : 'UNKNOWN'
}

type Errors = Pick<ZfsPool, 'readErrors' | 'writeErrors' | 'checksumErrors'>

export const hasErrors = ({ readErrors, writeErrors, checksumErrors }: Errors): boolean =>
  readErrors > 0 || writeErrors > 0 || checksumErrors > 0

export const isZfsOnline = (state: string): boolean => state.toUpperCase() === 'ONLINE'

/** The pool is not online, or its devices count errors. */
export const isTroubled = (pool: ZfsPool): boolean => !isZfsOnline(pool.state) || hasErrors(pool)
