import type { ComponentType } from 'react'
import type { ListedSection } from '../../parts/sections/section-frame.tsx'

export interface Section extends ListedSection {
  /** also the last segment of its path, and its `?tab=` value */
  id: string
  path: `/settings/${string}`
  description: string
  group: 'Proxmox' | 'Docker' | 'Administration'
  component: ComponentType
}
