import { ShieldCheck } from 'lucide-react'
import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

export interface Section {
  /** also the last part of its path and the value of `?tab=` */
  id: string
  path: `/settings/${string}`
  title: string
  description: string
  group: (typeof groups)[number]
  icon: ComponentType<{ size?: number; className?: string; 'aria-hidden'?: boolean }>
  component: LazyExoticComponent<ComponentType>
}

export const groups = ['Proxmox', 'Docker', 'Administration'] as const

/** Every section that exists, in the order they are listed. A new section is one entry here. */
export const sections: readonly Section[] = [
  {
    id: 'security',
    path: '/settings/security',
    title: 'Security',
    description: 'Sign-in, API tokens, single sign-on, users and the audit log.',
    group: 'Administration',
    icon: ShieldCheck,
    component: lazy(() => import('./security/section.tsx')),
  },
]

/** By the path, else by `?tab=`; what is unknown or not built leads to the first section. */
export function sectionAt(path: string, tab: unknown, table: readonly Section[] = sections): Section {
  const id = path.split('/')[2]
  return (
    table.find((section) => section.id === id) ??
    table.find((section) => !id && section.id === tab) ??
    table[0]!
  )
}

/** Groups without a section are left out. */
export const grouped = (table: readonly Section[] = sections) =>
  groups
    .map((name) => ({ name, sections: table.filter(({ group }) => group === name) }))
    .filter((group) => group.sections.length > 0)
