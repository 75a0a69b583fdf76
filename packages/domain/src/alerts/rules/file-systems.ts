import type { Guest, GuestDisk } from '@pulse/contract'
import { judgeValue } from '../metric.ts'
import type { Rule } from '../judging.ts'
import { delayTypes } from '../delays.ts'
import { idleReason } from './guest-activity.ts'

/** Every file system of a guest, with the disk threshold. */
export const fileSystems: Rule<Guest> = {
  name: 'guest-file-systems',
  judge(guest, on) {
    if (!guest.disks || idleReason(guest) !== undefined) {
      // Only the agent reports their usage, and a powered-off guest has none.
      if (idleReason(guest) === undefined || guest.lock) on.holdRest('Its file systems are not reported.')
      return
    }
    const trigger = on.policy.thresholds.disk?.trigger ?? 0
    if (!on.isWatched && !guest.disks.some(({ usage }) => usage !== undefined && usage >= trigger)) return
    const seen = new Set<string>()
    for (const [index, one] of guest.disks.entries()) {
      const { label, key } = nameOf(one, index)
      if (seen.has(key)) continue
      seen.add(key)
      judgeValue(on, 'disk', delayTypes.guest, one.total > 0 ? one.usage : undefined, {
        id: `${on.record}-disk-${key}-disk`,
        label: `Disk ${label}`,
        held: one.staleSince === undefined ? undefined : 'The value is stale.',
        metadata: metadataOf(one, index, label),
      })
    }
  },
}

/** A guest that reports its file systems has an alert for each. An alert for the sum would be a duplicate. */
export const reportsFileSystems = ({ disks }: Pick<Guest, 'disks'>): boolean =>
  disks?.some(({ usage, staleSince }) => usage !== undefined && staleSince === undefined) ?? false

function nameOf({ mountpoint, device }: GuestDisk, index: number): { label: string; key: string } {
  const label = mountpoint || device || `Disk ${index + 1}`
  const key = keyOf(label)
  return { label, key: device && device !== label ? `${key}-${keyOf(device)}` : key }
}

/** `/` becomes `root`. Lower-case letters, digits and dots stay; all other characters become a dash. */
export function keyOf(label: string): string {
  if (label === '/') return 'root'
  const dashed = label.toLowerCase().replace(/[^a-z0-9.]+/g, '-')
  let start = 0
  let end = dashed.length
  while (start < end && isEdge(dashed[start]!)) start++
  while (end > start && isEdge(dashed[end - 1]!)) end--
  return dashed.slice(start, end) || 'disk'
}

const isEdge = (character: string) => character === '-' || character === '.'

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
