import type { Guest, GuestDisk } from '@pulse/contract'
import { hashOf } from './name-hash.ts'

/** A guest that reports its file systems has an alert and a history of each. Those of the sum would be duplicates. */
export const reportsFileSystems = ({ disks }: Pick<Guest, 'disks'>): boolean =>
  disks?.some(({ usage, staleSince }) => usage !== undefined && staleSince === undefined) ?? false

/** What identifies a file system within its guest: its mount point and device, whatever its place in the list. */
export function fileSystemName(
  { mountpoint, device }: GuestDisk,
  index: number,
): { label: string; key: string } {
  const label = mountpoint || device || `Disk ${index + 1}`
  const key = keyOf(label)
  return { label, key: device && device !== label ? `${key}-${keyOf(device)}` : key }
}

/** A mount point may be a path of some thousand characters. */
const longestName = 200

/** Its id in the metric history. Long names that begin alike have different ids. */
export function fileSystemId(guestId: string, disk: GuestDisk, index: number): string {
  const { key } = fileSystemName(disk, index)
  if (key.length <= longestName) return `${guestId}:${key}`
  const tail = `~${hashOf(key)}`
  return `${guestId}:${key.slice(0, longestName - tail.length)}${tail}`
}

/** The key of its guest. The name of a file system has no colon. */
export const guestOfFileSystem = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf(':')))

/** The same few labels are asked for at each poll of each guest. */
const keys = new Map<string, string>()
const most = { keys: 5_000, characters: 200 }

function keyOf(label: string): string {
  let key = keys.get(label)
  if (key !== undefined) return key
  key = toKey(label)
  if (keys.size >= most.keys) keys.clear()
  if (label.length <= most.characters) keys.set(label, key)
  return key
}

/** `/` becomes `root`. Lower-case letters, digits and dots stay; all other characters become a dash. */
export function toKey(label: string): string {
  if (label === '/') return 'root'
  const dashed = label.toLowerCase().replace(/[^a-z0-9.]+/g, '-')
  let start = 0
  let end = dashed.length
  while (start < end && isEdge(dashed[start]!)) start++
  while (end > start && isEdge(dashed[end - 1]!)) end--
  return dashed.slice(start, end) || 'disk'
}

const isEdge = (character: string) => character === '-' || character === '.'
