import { Stethoscope } from 'lucide-react'
import { lazySection } from '../../../ui/code/lazy-part.tsx'
import type { Section } from '../section.ts'

export const diagnostics: Section = {
  id: 'diagnostics',
  path: '/settings/diagnostics',
  title: 'Diagnostics',
  description: 'Health of Pulse and its connections, with support bundles.',
  group: 'Administration',
  icon: Stethoscope,
  component: lazySection('Diagnostics', () => import('./section.tsx')),
}
