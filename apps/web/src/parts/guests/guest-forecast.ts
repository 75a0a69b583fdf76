import type { Forecast, Guest, GuestDisk } from '@pulse/contract'

export interface GuestForecast {
  forecast: Forecast
  /** absent: its disk as a whole, because it does not report its file systems */
  fileSystem?: string
}

/** Mount point or device; undefined without either. */
export const fileSystemLabel = ({ mountpoint, device }: GuestDisk): string | undefined => mountpoint || device

/** When its disk or each of its file systems will be full, of those with a date, the soonest first. */
export function guestForecasts({ forecast, disks = [] }: Guest): readonly GuestForecast[] {
  const found: GuestForecast[] = forecast?.fullAt === undefined ? [] : [{ forecast }]
  for (const disk of disks)
    if (disk.forecast?.fullAt !== undefined)
      found.push({ forecast: disk.forecast, fileSystem: fileSystemLabel(disk) ?? 'unnamed' })
  return found.toSorted((a, b) => a.forecast.fullAt! - b.forecast.fullAt!)
}
