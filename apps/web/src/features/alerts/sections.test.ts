import { Bell } from 'lucide-react'
import { lazy } from 'react'
import { describe, expect, test } from 'vitest'
import { grouped } from '../../parts/sections/section-frame.tsx'
import { type Section, sectionAt, sections } from './sections.ts'

test.each([
  ['/alerts', '/alerts/overview', 'the default'],
  ['/alerts/overview', '/alerts/overview', 'itself'],
  ['/alerts/nowhere', '/alerts/overview', 'unknown'],
  ['/alerts/history', '/alerts/history', 'itself'],
  ['/alerts/schedule', '/alerts/schedule', 'itself'],
  ['/alerts/destinations', '/alerts/destinations', 'itself'],
  ['/alerts/schedule/more', '/alerts/schedule', 'nothing answers below it'],
  ['/alerts/custom-rules', '/alerts/thresholds/proxmox', 'the legacy path'],
  ['/alerts/thresholds', '/alerts/thresholds/proxmox', 'its first tab'],
  ['/alerts/thresholds/mail-gateway', '/alerts/thresholds/mail-gateway', 'a tab'],
  ['/alerts/thresholds/docker', '/alerts/thresholds/docker', 'a tab'],
  ['/alerts/thresholds/unknown', '/alerts/thresholds/proxmox', 'no tab'],
])('[spec 3 §2] %s leads to %s: %s', (path, address) => {
  expect(sectionAt(path, true).address).toBe(address)
})

test.each([
  { isActive: false, address: '/alerts/overview', why: 'while alerts are not active' },
  { isActive: undefined, address: '/alerts/schedule', why: 'while that is not known' },
])('[spec 3 §2] a page of the configuration leads to $address $why', ({ isActive, address }) => {
  expect(sectionAt('/alerts/schedule', isActive).address).toBe(address)
})

describe('[spec 3 §2] the navigation', () => {
  test('groups what exists in the order of the specification', () => {
    expect(grouped(sections).map(({ name, sections }) => [name, sections.map(({ label }) => label)])).toEqual(
      [
        ['Status', ['Overview', 'History']],
        ['Configuration', ['Thresholds', 'Notifications', 'Schedule']],
      ],
    )
  })

  test('page headers', () => {
    expect(sections.map(({ title }) => title)).toEqual([
      'Alerts Overview',
      'Alert History',
      'Alert Thresholds',
      'Notification Destinations',
      'Maintenance Schedule',
    ])
  })

  test('one more section is one entry', () => {
    const more: Section = {
      id: 'rules',
      path: '/alerts/rules',
      label: 'Rules',
      title: 'Alert Rules',
      description: '',
      group: 'Configuration',
      icon: Bell,
      component: lazy(async () => ({ default: () => null })),
    }
    const table = [...sections, more]
    expect(sectionAt('/alerts/rules', true, table).section).toBe(more)
    expect(grouped(table)[1]!.sections.at(-1)).toBe(more)
  })
})
