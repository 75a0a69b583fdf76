import { Bell, CalendarClock, Gauge, History, LayoutDashboard } from 'lucide-react'
import type { ComponentType } from 'react'
import type { ListedSection } from '../../parts/sections/section-frame.tsx'
import { lazySection } from '../../ui/code/lazy-part.tsx'
import { SectionHead, type SectionProps } from './section-head.tsx'

export interface Section extends ListedSection {
  /** also the last segment of its path */
  id: string
  path: `/alerts/${string}`
  label: string
  description: string
  group: 'Status' | 'Configuration'
  /** edits the configuration; the frame's banner saves and discards */
  edits?: true
  /** subpages below its path; the first is the default */
  pages?: readonly string[]
  /** renders its own head, with more than the title */
  ownHead?: true
  component: ComponentType<SectionProps>
}

/** In navigation order. To add a section, add an entry here. */
export const sections: readonly Section[] = [
  {
    id: 'overview',
    path: '/alerts/overview',
    label: 'Overview',
    title: 'Alerts Overview',
    description: 'Active problems and who is working on them.',
    group: 'Status',
    icon: LayoutDashboard,
    ownHead: true,
    component: lazySection('Alerts Overview', () => import('./overview/section.tsx'), SectionHead),
  },
  {
    id: 'history',
    path: '/alerts/history',
    label: 'History',
    title: 'Alert History',
    description: 'Every alert of the last 30 days, how long it lasted and how it ended.',
    group: 'Status',
    icon: History,
    component: lazySection('Alert History', () => import('./history/section.tsx')),
  },
  {
    id: 'thresholds',
    path: '/alerts/thresholds',
    label: 'Thresholds',
    title: 'Alert Thresholds',
    description: 'Set alert thresholds globally or per resource.',
    group: 'Configuration',
    icon: Gauge,
    edits: true,
    pages: ['proxmox', 'mail-gateway', 'docker'],
    component: lazySection('Alert Thresholds', () => import('./thresholds/section.tsx')),
  },
  {
    id: 'destinations',
    path: '/alerts/destinations',
    label: 'Notifications',
    title: 'Notification Destinations',
    description: 'Where alerts go, and the delivery log.',
    group: 'Configuration',
    icon: Bell,
    edits: true,
    component: lazySection('Notification Destinations', () => import('./destinations/section.tsx')),
  },
  {
    id: 'schedule',
    path: '/alerts/schedule',
    label: 'Schedule',
    title: 'Maintenance Schedule',
    description: 'When notifications are paused, grouped and limited.',
    group: 'Configuration',
    icon: CalendarClock,
    edits: true,
    component: lazySection('Maintenance Schedule', () => import('./schedule/section.tsx')),
  },
]

const legacy: Readonly<Record<string, string>> = { 'custom-rules': 'thresholds' }

export interface SectionMatch {
  section: Section
  /** canonical path */
  address: string
  /** the path refers to this section, in any spelling */
  isAsked: boolean
}

/** Unknown paths lead to the first section. While alerts are inactive, all paths do. */
export function sectionAt(
  path: string,
  isActive: boolean | undefined,
  table: readonly Section[] = sections,
): SectionMatch {
  const [, , id = '', page = ''] = path.split('/')
  const wanted = legacy[id] ?? id
  const found = table.find((section) => section.id === wanted)
  const section = found && isActive !== false ? found : table[0]!
  const below = section.pages && (section.pages.includes(page) ? page : section.pages[0])
  return {
    section,
    address: below ? `${section.path}/${below}` : section.path,
    isAsked: wanted === '' || wanted === section.id,
  }
}
