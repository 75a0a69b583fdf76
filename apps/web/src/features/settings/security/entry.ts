import { ShieldCheck } from 'lucide-react'
import { lazySection } from '../../../ui/code/lazy-part.tsx'
import type { Section } from '../section.ts'

export const security: Section = {
  id: 'security',
  path: '/settings/security',
  title: 'Security',
  description: 'Sign-in, API tokens, single sign-on, users and the audit log.',
  group: 'Administration',
  icon: ShieldCheck,
  component: lazySection('Security', () => import('./section.tsx')),
}
