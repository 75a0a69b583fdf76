import { Box, Server } from 'lucide-react'
import { lazy } from 'react'
import { describe, expect, test } from 'vitest'
import { grouped } from '../../parts/sections/section-frame.tsx'
import type { Section } from './section.ts'
import { sectionAt, sections } from './sections.ts'

const aSection = (id: string, group: Section['group'], icon = Server): Section => ({
  id,
  path: `/settings/${id}`,
  title: id,
  description: '',
  group,
  icon,
  component: lazy(async () => ({ default: () => null })),
})

const table = [
  aSection('pve', 'Proxmox'),
  aSection('docker', 'Docker', Box),
  aSection('system', 'Administration'),
  aSection('security', 'Administration'),
]

test.each([
  { path: '/settings', tab: undefined, id: 'pve', why: 'the first one' },
  { path: '/settings/docker', tab: undefined, id: 'docker', why: 'by its path' },
  { path: '/settings/docker/hosts', tab: undefined, id: 'docker', why: 'also below its path' },
  { path: '/settings', tab: 'security', id: 'security', why: 'by the tab' },
  { path: '/settings/docker', tab: 'security', id: 'docker', why: 'the path comes first' },
  { path: '/settings/unknown', tab: undefined, id: 'pve', why: 'unknown: the first one' },
  { path: '/settings', tab: 'unknown', id: 'pve', why: 'unknown: the first one' },
  { path: '/settings', tab: 7, id: 'pve', why: 'no tab at all' },
])('[spec 2 §2] $path with tab $tab leads to $id: $why', ({ path, tab, id }) => {
  expect(sectionAt(path, tab, table).id).toBe(id)
})

test('[spec 2 §2] /settings leads to the PVE section', () => {
  expect(sectionAt('/settings', undefined).path).toBe('/settings/pve')
})

test('[spec 2 §2] the legacy target /settings/nodes leads to the PVE section', () => {
  expect(sectionAt('/settings/nodes', undefined).path).toBe('/settings/pve')
})

test('[spec 2 §2] sections stand in the order of the navigation, at the paths of their ids', () => {
  const ids = ['pve', 'pbs', 'pmg', 'urls', 'docker', 'system', 'security', 'diagnostics', 'updates']
  const shown = sections.map(({ id }) => id)
  expect(shown.filter((id) => ids.includes(id))).toEqual(ids)
  expect(sections.map(({ path }) => path)).toEqual(shown.map((id) => `/settings/${id}`))
})

describe('[spec 2 §2] groups', () => {
  test('stand in the order Proxmox, Docker, Administration', () => {
    expect(grouped(table).map(({ name, sections }) => [name, sections.map(({ id }) => id)])).toEqual([
      ['Proxmox', ['pve']],
      ['Docker', ['docker']],
      ['Administration', ['system', 'security']],
    ])
  })

  test('without a section are left out', () => {
    expect(grouped(table.slice(1, 2)).map(({ name }) => name)).toEqual(['Docker'])
  })
})
