import { SlidersHorizontal } from 'lucide-react'
import { lazySection } from '../../../ui/code/lazy-part.tsx'
import type { Section } from '../section.ts'

export const system: Section = {
  id: 'system',
  path: '/settings/system',
  title: 'System',
  description:
    'Discovery, appearance, access from other sites, updates, backup polling, metric history, backup and restore.',
  group: 'Administration',
  icon: SlidersHorizontal,
  component: lazySection('System', () => import('./section.tsx')),
}
