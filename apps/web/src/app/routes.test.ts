import { expect, test } from 'vitest'
import { homePath, type Page, pageAt, pages, resolvePath } from './routes.ts'

const page = (path: `/${string}`, area: Page['area'], nested = false): Page => ({
  path,
  area,
  label: path,
  nested,
  load: async () => () => null,
})

const full: Page[] = [
  page('/proxmox/overview', 'proxmox'),
  page('/proxmox/storage', 'proxmox'),
  page('/proxmox/backups', 'proxmox'),
  page('/docker', 'docker'),
  page('/alerts', 'alerts', true),
  page('/settings', 'settings', true),
]

test.each([
  ['/', '/proxmox/overview'],
  ['/proxmox', '/proxmox/overview'],
  ['/proxmox/', '/proxmox/overview'],
  ['/storage', '/proxmox/storage'],
  ['/backups', '/proxmox/backups'],
  ['/docker', '/docker'],
  ['/docker/', '/docker'],
  ['/alerts/history', '/alerts/history'],
  ['/settings', '/settings'],
  ['/settings/docker', '/settings/docker'],
  ['/settingsx', '/proxmox/overview'],
  ['/unknown/page', '/proxmox/overview'],
])('[spec 1 §2] with every page built, %s leads to %s', (from, to) => {
  expect(resolvePath(from, full)).toBe(to)
})

test.each([
  '/',
  '/proxmox',
  '/storage',
  '/backups',
  '/docker',
  '/alerts/overview',
  '/settings',
  '/settings/docker',
])('[design 11] while its target is not built, %s leads to the Overview', (from) => {
  const onlyOverview = pages.filter(({ path }) => path === homePath)
  expect(resolvePath(from, onlyOverview)).toBe('/proxmox/overview')
})

test.each(['/settings', '/settings/security', '/settings/nowhere'])(
  '[spec 2 §2] %s is answered by the settings, which know their sections themselves',
  (path) => {
    expect([resolvePath(path), pageAt(path)?.area]).toEqual([path, 'settings'])
  },
)

test('[spec 1 §2] /docker is answered by the Docker page', () => {
  expect([resolvePath('/docker'), pageAt('/docker')?.area]).toEqual(['/docker', 'docker'])
})

test('every listed page answers at its own address', () => {
  for (const { path } of pages) expect(pageAt(path)?.path).toBe(path)
  expect(pageAt('/nowhere')).toBeUndefined()
})
