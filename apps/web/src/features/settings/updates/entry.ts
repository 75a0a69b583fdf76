import { History } from 'lucide-react'
import { lazySection } from '../../../ui/code/lazy-part.tsx'
import type { Section } from '../section.ts'

export const updates: Section = {
  id: 'updates',
  path: '/settings/updates',
  title: 'Updates',
  description: 'Installed updates and their results.',
  group: 'Administration',
  icon: History,
  component: lazySection('Updates', () => import('./section.tsx')),
}
