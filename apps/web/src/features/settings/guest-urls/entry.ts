import { Link2 } from 'lucide-react'
import { lazySection } from '../../../ui/code/lazy-part.tsx'
import type { Section } from '../section.ts'

export const urls: Section = {
  id: 'urls',
  path: '/settings/urls',
  title: 'Guest URLs',
  description: 'Custom links for guests.',
  group: 'Proxmox',
  icon: Link2,
  component: lazySection('Guest URLs', () => import('./section.tsx')),
}
