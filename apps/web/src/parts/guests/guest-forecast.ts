import type { Forecast, Guest, GuestDisk } from '@pulse/contract'
import { fileSystemName } from '@pulse/domain'

export interface GuestForecast {
  forecast: Forecast
  /** absent: its disk as a whole, because it does not report its file systems */
  fileSystem?: string
  /** identifies it: two may have one mount point */
  key?: string
}

/** Mount point or device; undefined without either. */
export const fileSystemLabel = ({ mountpoint, device }: GuestDisk): string | undefined => mountpoint || device

/** When its disk or each of its file systems will be full, of those with a date, the soonest first. */
export function guestForecasts({ forecast, disks = [] }: Guest): readonly GuestForecast[] {
  const found: GuestForecast[] = forecast?.fullAt === undefined ? [] : [{ forecast }]
  const seen = new Set<string>()
  for (const [index, disk] of disks.entries()) {
    const { forecast: own } = disk
    if (own?.fullAt === undefined) continue
    const { key } = fileSystemName(disk, index)
    if (seen.has(key)) continue
    seen.add(key)
    found.push({ forecast: own, fileSystem: fileSystemLabel(disk) ?? 'unnamed', key })
  }
  return found.toSorted((a, b) => a.forecast.fullAt! - b.forecast.fullAt!)
}
