import type { PhysicalDisk } from '@pulse/contract'
import type { DiskHealth } from '../alerts/disk-health.ts'
import type { UiTone } from '../../ui/tone-class.ts'

export const healthTone: Record<DiskHealth, UiTone> = {
  HEALTHY: 'neutral',
  'LOW LIFE': 'orange',
  FAILED: 'red',
  UNKNOWN: 'neutral',
}

/** Worst first, so that one click sorts it to the top. */
export const healthRank: Record<DiskHealth, number> = { FAILED: 0, 'LOW LIFE': 1, UNKNOWN: 2, HEALTHY: 3 }

/** Percent of life remaining; undefined if unknown. */
export const lifeOf = ({ wearout }: Pick<PhysicalDisk, 'wearout'>): number | undefined =>
  wearout < 0 ? undefined : wearout

export const temperatureOf = ({ temperature }: Pick<PhysicalDisk, 'temperature'>): number | undefined =>
  temperature > 0 ? temperature : undefined
