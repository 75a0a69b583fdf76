import { Container } from 'lucide-react'
import { lazySection } from '../../../ui/code/lazy-part.tsx'
import type { Section } from '../section.ts'

export const docker: Section = {
  id: 'docker',
  path: '/settings/docker',
  title: 'Docker hosts',
  description: 'Container hosts that report through an agent.',
  group: 'Docker',
  icon: Container,
  component: lazySection('Docker hosts', () => import('./section.tsx')),
}
