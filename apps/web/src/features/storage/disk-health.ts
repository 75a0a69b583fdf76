import type { PhysicalDisk } from '@pulse/contract'
import type { UiTone } from '../../ui/tone-class.ts'

export type DiskHealth = 'HEALTHY' | 'LOW LIFE' | 'FAILED' | 'UNKNOWN'

const good: ReadonlySet<string> = new Set(['PASSED', 'OK', 'GOOD'])

/** A disk that passes its own test may be at the end of its life all the same. */
export function diskHealth({ health, wearout }: Pick<PhysicalDisk, 'health' | 'wearout'>): DiskHealth {
  const word = health.trim().toUpperCase()
  if (good.has(word)) return wearout >= 1 && wearout < 10 ? 'LOW LIFE' : 'HEALTHY'
  return word === 'FAILED' ? 'FAILED' : 'UNKNOWN'
}

export const healthTone: Record<DiskHealth, UiTone> = {
  HEALTHY: 'neutral',
  'LOW LIFE': 'orange',
  FAILED: 'red',
  UNKNOWN: 'neutral',
}

/** Worst first, so that one click brings it to the top. */
export const healthRank: Record<DiskHealth, number> = { FAILED: 0, 'LOW LIFE': 1, UNKNOWN: 2, HEALTHY: 3 }

/** Percent that is left; undefined while it is not known. */
export const lifeOf = ({ wearout }: Pick<PhysicalDisk, 'wearout'>): number | undefined =>
  wearout < 0 ? undefined : wearout

export const temperatureOf = ({ temperature }: Pick<PhysicalDisk, 'temperature'>): number | undefined =>
  temperature > 0 ? temperature : undefined
