// @vitest-environment happy-dom
import { useMutation } from '@tanstack/react-query'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { Server } from 'lucide-react'
import { lazy } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createAppRouter, Pages } from '../../app/router.tsx'
import type { Page } from '../../app/routes.ts'
import { aLive } from '../../live/fake-live.ts'
import { LiveProvider } from '../../live/live.tsx'
import { renderSettings } from './fake-settings.tsx'
import { SettingsPage } from './page.tsx'
import { AuditPanel } from './security/audit-panel.tsx'
import type { Section } from './section.ts'
import { createMemoryHistory } from '../../ui/router/fake-history.ts'

const aSection = (id: string, title: string, group: Section['group']): Section => ({
  id,
  path: `/settings/${id}`,
  title,
  description: `About ${title}`,
  group,
  icon: Server,
  component: lazy(async () => ({ default: () => <p>{`section ${id}`}</p> })),
})
const table = [
  aSection('pve', 'Proxmox VE nodes', 'Proxmox'),
  aSection('security', 'Security', 'Administration'),
]

interface Given {
  sections?: readonly Section[]
  replies?: Record<string, unknown>
}

async function show(path: string, given: Given = {}) {
  const { sections = table, replies = {} } = given
  const page: Page = {
    path: '/settings',
    area: 'settings',
    label: 'Settings',
    nested: true,
    load: async () => () => <SettingsPage table={sections} />,
  }
  const router = createAppRouter([page], createMemoryHistory({ initialEntries: [path] }))
  const view = await renderSettings(
    <LiveProvider live={aLive()}>
      <Pages router={router} />
    </LiveProvider>,
    { replies: { 'GET /api/version': { version: '5.1.0', channel: 'stable' }, ...replies } },
  )
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toBeDefined())
  return { ...view, router }
}

const [wide, narrow] = [0, 1]
const navigation = (which: number) => screen.getAllByRole('navigation', { name: 'Settings' })[which]!

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('scrollTo', () => {})
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test.each([
  ['/settings', '/settings/pve', 'Proxmox VE nodes'],
  ['/settings/security', '/settings/security', 'Security'],
  ['/settings?tab=security', '/settings/security', 'Security'],
  ['/settings/nowhere', '/settings/pve', 'Proxmox VE nodes'],
])('[spec 2 §2] %s ends at %s with its title and description', async (from, path, title) => {
  const { router } = await show(from)
  expect(router.view().location.path).toBe(path)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title)
  expect(screen.getByText(`About ${title}`)).toBeDefined()
  expect(await screen.findByText(`section ${path.split('/')[2]}`)).toBeDefined()
})

test.each([
  ['/settings?tab=security&search=zoe', '/settings/security?search=zoe'],
  ['/settings/security/more?search=zoe', '/settings/security?search=zoe'],
  ['/settings?search=zoe', '/settings/pve?search=zoe'],
  ['/settings/nowhere?search=zoe', '/settings/pve'],
])('%s leads to %s: its own page keeps what follows the path', async (from, to) => {
  const { router } = await show(from)
  const { path, search } = router.view().location
  expect(path + search).toBe(to)
})

describe('[spec 2 §2] navigation', () => {
  test('lists groups and sections and marks the current one', async () => {
    await show('/settings/security')
    expect(navigation(wide!).textContent).toBe('SettingsProxmoxProxmox VE nodesAdministrationSecurity')
    for (const which of [wide!, narrow!]) {
      const links = [...navigation(which).querySelectorAll('a')]
      expect(links.map((link) => [link.textContent, link.getAttribute('aria-current')])).toEqual([
        ['Proxmox VE nodes', null],
        ['Security', 'page'],
      ])
    }
  })

  test('the sidebar collapses from 72 to 16 units, and that is remembered', async () => {
    await show('/settings')
    const frame = () => navigation(wide!).parentElement!.classList
    expect(frame().contains('w-72')).toBe(true)
    fireEvent.click(screen.getByRole('button', { name: 'Collapse sidebar' }))
    expect(frame().contains('w-16')).toBe(true)
    cleanup()
    await show('/settings')
    expect(frame().contains('w-16')).toBe(true)
    const button = screen.getByRole('button', { name: 'Expand sidebar' })
    expect(button.getAttribute('aria-expanded')).toBe('false')
    act(() => button.click())
    expect(frame().contains('w-72')).toBe(true)
  })

  test('on small screens the current section is brought into view', async () => {
    const shown = vi.spyOn(HTMLElement.prototype, 'scrollIntoView')
    await show('/settings/security')
    expect(shown.mock.contexts.map((link) => (link as HTMLElement).textContent)).toEqual(['Security'])
    shown.mockRestore()
  })

  test('on the rail of icons each section keeps its name, and a tooltip shows it', async () => {
    localStorage.setItem('settingsSidebarCollapsed', 'true')
    await show('/settings')
    const links = [...navigation(wide!).querySelectorAll('a')]
    expect(links.map((link) => [link.textContent, link.dataset['tip']])).toEqual([
      ['Proxmox VE nodes', 'Proxmox VE nodes'],
      ['Security', 'Security'],
    ])
  })
})

test('[facts platform §7.2] after a change the audit log on the page is reloaded', async () => {
  const audit = 'GET /api/security/audit'
  function Body() {
    const change = useMutation({ mutationFn: async () => {} })
    return (
      <>
        <button type="button" onClick={() => change.mutate()}>
          Change
        </button>
        <AuditPanel />
      </>
    )
  }
  const section = { ...table[1]!, component: lazy(async () => ({ default: Body })) }
  const { calls } = await show('/settings/security', {
    sections: [section],
    replies: { [audit]: { events: [] } },
  })
  const loads = () => calls.filter(({ call }) => call === audit).length
  await waitFor(() => expect(loads()).toBe(1))
  await screen.findByText('Nothing recorded')
  fireEvent.click(screen.getByRole('button', { name: 'Change' }))
  await waitFor(() => expect(loads()).toBe(2))
})
