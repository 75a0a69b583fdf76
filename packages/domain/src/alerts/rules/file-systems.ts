import { fileSystemUsage, type Guest, type GuestDisk } from '@pulse/contract'
import { judgeValue } from '../metric.ts'
import type { Rule } from '../judging.ts'
import { delayTypes } from '../delays.ts'
import { usageAlertOf } from '../file-system-alerts.ts'
import { fileSystemName } from '../../file-systems.ts'
import { idleReason } from './guest-activity.ts'

/** Every file system of a guest, with the disk threshold. */
export const fileSystems: Rule<Guest> = {
  name: 'guest-file-systems',
  judge(guest, on) {
    const trigger = on.policy.thresholds.disk?.trigger ?? 0
    if (!guest.disks || idleReason(guest) !== undefined) {
      if (on.isWatched && trigger <= 0) return on.endRest('Its threshold is switched off.')
      // Only the agent reports their usage, and a powered-off guest has none.
      if (idleReason(guest) === undefined || guest.lock) on.holdRest('Its file systems are not reported.')
      return
    }
    if (!on.isWatched && !guest.disks.some(({ usage }) => usage !== undefined && usage >= trigger)) return
    const seen = new Set<string>()
    for (const [index, one] of guest.disks.entries()) {
      const { label, key } = fileSystemName(one, index)
      if (seen.has(key)) continue
      seen.add(key)
      judgeValue(on, 'disk', delayTypes.guest, fileSystemUsage(one), {
        id: usageAlertOf(on.record, key),
        label: `Disk ${label}`,
        held: one.staleSince === undefined ? undefined : 'The value is stale.',
        metadata: metadataOf(one, index, label),
      })
    }
  },
}

const metadataOf = (
  { mountpoint, device, type, total, used, free }: GuestDisk,
  diskIndex: number,
  label: string,
) => ({
  label,
  diskIndex,
  ...(mountpoint && { mountpoint }),
  ...(device && { device }),
  ...(type && { diskType: type }),
  totalBytes: total,
  ...(used !== undefined && { usedBytes: used }),
  ...(free !== undefined && { freeBytes: free }),
})
