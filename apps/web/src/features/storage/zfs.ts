import type { ZfsDevice, ZfsPool } from '@pulse/contract'
import { formatNumber } from '../../lib/format.ts'
import { hasErrors, isZfsOnline } from '../../parts/storage/health.ts'
import type { UiTone } from '../../ui/tone-class.ts'

type Errors = Pick<ZfsPool, 'readErrors' | 'writeErrors' | 'checksumErrors'>

export function zfsTone(state: string): UiTone {
  if (isZfsOnline(state)) return 'green'
  return state.toUpperCase() === 'DEGRADED' ? 'yellow' : 'red'
}

/** Of a pool that counts errors although it is online: red. */
export function troubleTone(pool: ZfsPool): UiTone {
  const tone = zfsTone(pool.state)
  return tone === 'green' ? 'red' : tone
}

export const errorsText = ({ readErrors, writeErrors, checksumErrors }: Errors): string =>
  `Errors: ${formatNumber(readErrors)} read, ${formatNumber(writeErrors)} write, ${formatNumber(checksumErrors)} checksum`

/** What a device says besides its name and state. */
export const deviceText = (device: ZfsDevice): string =>
  [device.message, hasErrors(device) && errorsText(device)].filter(Boolean).join(' · ')
