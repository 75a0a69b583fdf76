import { anAlert } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import type { Area, Page } from './routes.ts'
import { activeArea, countAlerts, platformTabs, sectionPages, sideTabs } from './tabs.ts'

const pageOf = (area: Area, path: `/${string}` = `/${area}`): Page => ({
  path,
  area,
  label: path,
  load: async () => () => null,
})
const full = (['proxmox', 'docker', 'alerts', 'settings'] as const).map((area) => pageOf(area))
const none = { critical: 0, warning: 0 }

describe('platform tabs', () => {
  const docker = (hasData: boolean | undefined, seen: boolean) =>
    platformTabs(full, { proxmox: true, docker: hasData }, seen ? { docker: true } : {})[1]!

  test.each([
    { when: 'data now', hasData: true, seen: false, enabled: true, to: '/docker', addHost: false },
    { when: 'data now and before', hasData: true, seen: true, enabled: true, to: '/docker', addHost: false },
    { when: 'data before', hasData: false, seen: true, enabled: true, to: '/docker', addHost: true },
    { when: 'never any', hasData: false, seen: false, enabled: false, to: '/settings/docker', addHost: true },
  ])(
    '[spec 1 §2] $when: enabled $enabled, leads to $to, Add host $addHost',
    ({ hasData, seen, ...expected }) => {
      expect(docker(hasData, seen)).toMatchObject({
        enabled: expected.enabled,
        to: expected.to,
        addHost: expected.addHost,
      })
    },
  )

  test('[spec 1 §2] the tooltip of a disabled tab says the platform is not configured yet', () => {
    expect(docker(false, false).tooltip).toBe('Docker is not configured yet')
    expect(docker(false, true).tooltip).toBeUndefined()
  })

  test('before the first data there are no counts', () => {
    expect(docker(undefined, false)).toMatchObject({ to: '/docker', addHost: false, tooltip: undefined })
  })

  test('[spec 1 §2] routes and settings routes', () => {
    const tabs = platformTabs(full, { proxmox: true, docker: true }, {})
    expect(tabs.map(({ label, route, settingsRoute }) => [label, route, settingsRoute])).toEqual([
      ['Proxmox', '/proxmox/overview', '/settings'],
      ['Docker', '/docker', '/settings/docker'],
    ])
  })

  test('[design 11] a platform without a page is not listed', () => {
    const tabs = platformTabs([pageOf('proxmox')], { proxmox: true, docker: true }, {})
    expect(tabs.map(({ id }) => id)).toEqual(['proxmox'])
  })
})

describe('side tabs', () => {
  test('[spec 1 §2] badges count unacknowledged critical alerts and all other ones apart', () => {
    const alerts = [
      anAlert({ level: 'critical' }),
      anAlert({ level: 'critical', acknowledged: true }),
      anAlert({ level: 'warning' }),
      anAlert({ level: 'warning' }),
      anAlert({ level: 'anything' }),
      anAlert({ level: 'warning', acknowledged: true }),
    ]
    const counts = countAlerts(alerts)
    expect(counts).toEqual({ critical: 1, warning: 3 })
    expect(sideTabs(full, counts, false)[0]).toMatchObject({ label: 'Alerts', to: '/alerts', badges: counts })
  })

  test.each([true, false])('[spec 1 §2] Settings has a dot when an update is available: %s', (available) => {
    const [alerts, settings] = sideTabs(full, none, available)
    expect([alerts!.dot, settings!.dot]).toEqual([false, available])
  })

  test('[design 11] tabs without a page are not listed', () => {
    expect(sideTabs([pageOf('proxmox'), pageOf('settings')], none, false).map(({ id }) => id)).toEqual([
      'settings',
    ])
  })
})

test.each([
  ['/proxmox/overview', 'proxmox'],
  ['/docker', 'docker'],
  ['/docker/hosts', 'docker'],
  ['/alerts/history', 'alerts'],
  ['/settings/nodes', 'settings'],
  ['/', 'proxmox'],
  ['/dockerx', 'proxmox'],
])('[spec 1 §2] %s belongs to %s', (path, area) => {
  expect(activeArea(path)).toBe(area)
})

test('[design 11] the sub-navigation lists the pages of its area, in table order', () => {
  const table = [
    pageOf('proxmox', '/proxmox/overview'),
    pageOf('docker'),
    pageOf('proxmox', '/proxmox/storage'),
  ]
  expect(sectionPages(table, 'proxmox').map(({ path }) => path)).toEqual([
    '/proxmox/overview',
    '/proxmox/storage',
  ])
})
