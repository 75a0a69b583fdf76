import type { Alert, PlatformsSeen } from '@pulse/contract'
import type { Area, Page } from './routes.ts'

export type Platform = keyof PlatformsSeen

interface PlatformDefinition {
  id: Platform
  label: string
  route: string
  settingsRoute: string
}

const platforms: readonly PlatformDefinition[] = [
  { id: 'proxmox', label: 'Proxmox', route: '/proxmox/overview', settingsRoute: '/settings' },
  { id: 'docker', label: 'Docker', route: '/docker', settingsRoute: '/settings/docker' },
]

export interface PlatformTab extends PlatformDefinition {
  /** has data now, or had data before in this browser */
  enabled: boolean
  /** link target: the settings while there is no data */
  to: string
  tooltip: string | undefined
  addHost: boolean
}

/** undefined: not known yet */
export type PlatformData = Readonly<Record<Platform, boolean | undefined>>

/** Lists platforms with a page. */
export function platformTabs(
  pages: readonly Page[],
  hasData: PlatformData,
  seen: PlatformsSeen,
): PlatformTab[] {
  return platforms
    .filter(({ id }) => pages.some((page) => page.area === id))
    .map((platform) => {
      const enabled = hasData[platform.id] === true || seen[platform.id] === true
      const known = hasData[platform.id] !== undefined
      return {
        ...platform,
        enabled,
        to: enabled || !known ? platform.route : platform.settingsRoute,
        tooltip: enabled || !known ? undefined : `${platform.label} is not configured yet`,
        addHost: hasData[platform.id] === false,
      }
    })
}

export interface AlertCounts {
  critical: number
  warning: number
}

/** Unacknowledged active alerts: critical ones, and all others. */
export function countAlerts(alerts: Iterable<Pick<Alert, 'level' | 'acknowledged'>>): AlertCounts {
  const counts = { critical: 0, warning: 0 }
  for (const { level, acknowledged } of alerts) {
    if (acknowledged) continue
    counts[level === 'critical' ? 'critical' : 'warning'] += 1
  }
  return counts
}

export interface SideTab {
  id: 'alerts' | 'settings'
  label: string
  to: string
  badges: AlertCounts
  /** a dot: an update is available */
  dot: boolean
}

export function sideTabs(pages: readonly Page[], alerts: AlertCounts, updateAvailable: boolean): SideTab[] {
  const none = { critical: 0, warning: 0 }
  const all: SideTab[] = [
    { id: 'alerts', label: 'Alerts', to: '/alerts', badges: alerts, dot: false },
    { id: 'settings', label: 'Settings', to: '/settings', badges: none, dot: updateAvailable },
  ]
  return all.filter(({ id }) => pages.some((page) => page.area === id))
}

/** By the first part of the path. Unknown paths count as Proxmox. */
export function activeArea(path: string): Area {
  const first = path.split('/')[1]
  return first === 'docker' || first === 'alerts' || first === 'settings' ? first : 'proxmox'
}

/** The pages of one area, for its sub-navigation. */
export const sectionPages = (pages: readonly Page[], area: Area): readonly Page[] =>
  pages.filter((page) => page.area === area && !page.isOfOneThing)
