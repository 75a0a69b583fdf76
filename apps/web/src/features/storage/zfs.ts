import type { ZfsDevice, ZfsPool } from '@pulse/contract'
import { formatNumber } from '../../lib/format.ts'
import type { UiTone } from '../../ui/tone-class.ts'

type Errors = Pick<ZfsPool, 'readErrors' | 'writeErrors' | 'checksumErrors'>

export const hasErrors = ({ readErrors, writeErrors, checksumErrors }: Errors): boolean =>
  readErrors > 0 || writeErrors > 0 || checksumErrors > 0

const isOnline = (state: string) => state.toUpperCase() === 'ONLINE'

/** Not as it should be: the pool itself, or what its disks count. */
export const isTroubled = (pool: ZfsPool): boolean => !isOnline(pool.state) || hasErrors(pool)

export function zfsTone(state: string): UiTone {
  if (isOnline(state)) return 'green'
  return state.toUpperCase() === 'DEGRADED' ? 'yellow' : 'red'
}

export const errorsText = ({ readErrors, writeErrors, checksumErrors }: Errors): string =>
  `Errors: ${formatNumber(readErrors)} read, ${formatNumber(writeErrors)} write, ${formatNumber(checksumErrors)} checksum`

/** What a device says besides its name and state. */
export const deviceText = (device: ZfsDevice): string =>
  [device.message, hasErrors(device) && errorsText(device)].filter(Boolean).join(' · ')
