import type { ComponentType } from 'react'
import type { ListedSection } from '../../parts/sections/section-frame.tsx'

export interface Section extends ListedSection {
  /** also the last part of its path and the value of `?tab=` */
  id: string
  path: `/settings/${string}`
  description: string
  group: 'Proxmox' | 'Docker' | 'Administration'
  component: ComponentType
}
