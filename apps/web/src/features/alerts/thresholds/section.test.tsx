// @vitest-environment happy-dom
import { alertDefaults } from '@pulse/contract'
import { aMailGateway, aNode } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { aLive } from '../../../live/fake-live.ts'
import { anAlertConfig, click, freshBrowser, inTable } from '../fake-alerts.tsx'
import { showThresholds as show } from '../fake-thresholds.tsx'

const cell = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
const unsaved = () => screen.queryByText('You have unsaved changes') !== null

freshBrowser()

describe('sites', () => {
  const source = { name: 'far', kind: 'pve', health: 'healthy' } as const
  const live = (site?: string) =>
    aLive({
      sources: { far: { ...source, ...(site && { site }) } },
      nodes: { 'main:pve1': aNode(), 'far:pve9': aNode({ source: 'far', instance: 'far', node: 'pve9' }) },
    })
  const found = () =>
    [...document.querySelectorAll('[data-row^="resource:"]')].map((one) => one.getAttribute('data-row'))

  test.each([
    ['site:berlin', ['resource:far:pve9']],
    ['site:main', ['resource:main:pve1']],
    ['pve9 site:main', []],
    ['site:', ['resource:main:pve1', 'resource:far:pve9']],
  ])('%s finds resources by the site of their connection', async (search, rows) => {
    await show(`proxmox?search=${encodeURIComponent(search)}`, { live: live('Berlin') })
    expect(found()).toEqual(rows)
    fireEvent.click(screen.getByRole('button', { name: 'Search tips' }))
    expect(await screen.findByText('resources of a site; site:main is where Pulse runs')).toBeDefined()
  })

  test('without sites, site: is a word like any other, and no tip names it', async () => {
    await show('proxmox?search=site:main', { live: live() })
    expect(found()).toEqual([])
    expect(screen.queryByRole('button', { name: 'Search tips' })).toBeNull()
  })
})

describe('[spec 3 §2] the tables', () => {
  test('of Proxmox stand in order, guests below their node', async () => {
    await show()
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining([
        'Proxmox Nodes',
        'PBS Servers',
        'VMs & Containers',
        'Backups',
        'Snapshot Age',
        'Storage Devices',
        'PBS Datastores',
        'Disks and Ceph',
      ]),
    )
    const guests = [
      ...screen.getByRole('treegrid', { name: 'VMs & Containers' }).querySelectorAll('[data-row]'),
    ]
    expect(guests.map((one) => one.getAttribute('data-row')!.replace('\0', '/'))).toEqual([
      'defaults:',
      'group:main/pve1',
      'resource:main:100',
      'resource:main:101',
    ])
  })

  test('tabs', async () => {
    await show('docker')
    const links = within(screen.getByRole('navigation', { name: 'Thresholds' })).getAllByRole('link')
    expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Proxmox / PBS', '/alerts/thresholds/proxmox'],
      ['Mail Gateway', '/alerts/thresholds/mail-gateway'],
      ['Docker', '/alerts/thresholds/docker'],
    ])
    expect(links.map((link) => link.getAttribute('aria-current'))).toEqual([null, null, 'page'])
  })

  test('begin with the defaults, and show the columns of their kind', async () => {
    await show()
    const headers = within(screen.getByRole('treegrid', { name: 'VMs & Containers' }))
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent)
    expect(headers).toEqual([
      'Alerts',
      'Name',
      'CPU %',
      'Memory %',
      'Disk %',
      'Disk R MB/s',
      'Disk W MB/s',
      'Net In MB/s',
      'Net Out MB/s',
      'Full in (days)',
      'Offline',
      'Actions',
    ])
    expect(screen.getAllByText('Global Defaults')).toHaveLength(7)
    expect(screen.getByRole('textbox', { name: 'Critical Days of Snapshot Age' })).toBeDefined()
  })

  test('name a resource, its kind, its cluster, and lead to its web interface', async () => {
    await show()
    const link = screen.getByRole('link', { name: 'pve1, open web interface' })
    expect(link.getAttribute('href')).toBe('https://pve1.example:8006')
    expect(within(link.closest('[data-row]')!).getByText('main')).toBeDefined()
  })

  test('of mail say what to do while there is no gateway', async () => {
    await show('mail-gateway')
    expect(
      screen.getByText(
        'No mail gateways configured yet. Add a PMG instance in Settings to manage thresholds.',
      ),
    ).toBeDefined()
    cleanup()
    await show('mail-gateway', { live: aLive({ pmg: { mail: aMailGateway() } }) })
    expect(
      screen
        .getAllByRole('columnheader')
        .slice(2, 18)
        .map(({ textContent }) => textContent),
    ).toHaveLength(16)
  })

  test('of Docker: hosts have toggles alone, containers stand below their host', async () => {
    await show('docker')
    expect(inTable('Docker Hosts').queryByRole('button', { name: /CPU/ })).toBeNull()
    expect(screen.getByRole('switch', { name: 'Offline alerts of Cellar' })).toBeDefined()
    expect(inTable('Docker Containers').getByText('Cellar')).toBeDefined()
    expect(cell('Restart Count of cache: 3')).toBeDefined()
  })

  test('overrides that match no host stand below Unassigned Docker Containers, and can be removed', async () => {
    const config = anAlertConfig({ overrides: { 'dockerContainer:dock9:gone': { disabled: true } } })
    await show('docker', { config })
    expect(screen.getByText('Unassigned Docker Containers')).toBeDefined()
    await click('Remove override of dock9:gone')
    expect(screen.queryByText('Unassigned Docker Containers')).toBeNull()
    expect(unsaved()).toBe(true)
  })

  describe('overrides of what is not there', () => {
    test('are listed on every tab under the names of older versions and other clients, and can be removed', async () => {
      const overrides = {
        'main-pve1-100': { cpu: { trigger: 95, clear: 90 } },
        'docker:dock1/4f2': { disabled: true },
      }
      for (const tab of ['mail-gateway', 'docker', 'proxmox']) {
        cleanup()
        await show(tab, { config: anAlertConfig({ overrides }) })
        const rows = inTable('Unmatched overrides').getAllByRole('listitem')
        expect(rows.map(({ textContent }) => textContent)).toEqual([
          'docker:dock1/4f2Alerts off',
          'main-pve1-100CPU % 95',
        ])
      }
      await click('Remove override of main-pve1-100')
      expect(inTable('Unmatched overrides').getAllByRole('listitem')).toHaveLength(1)
      await click('Remove override of docker:dock1/4f2')
      expect(screen.queryByText('Unmatched overrides')).toBeNull()
      expect(unsaved()).toBe(true)
    })

    test('of a mail gateway too, though there is none', async () => {
      const config = anAlertConfig({ overrides: { 'pmg:old': { disabled: true } } })
      await show('mail-gateway', { config })
      await click('Remove override of old')
      expect(unsaved()).toBe(true)
    })
  })

  test('a summary leads to each section that has items or overrides', async () => {
    await show('proxmox', {
      live: aLive({ nodes: { 'main:pve1': aNode() } }),
      config: anAlertConfig({ overrides: { 'node:main:pve1': { disableConnectivity: true } } }),
    })
    const items = within(screen.getByRole('list', { name: 'Sections' })).getAllByRole('button')
    expect(items.map(({ textContent }) => textContent)).toEqual(['Proxmox Nodes1 · 1 override'])
  })
})

test('[spec 3 §4] days: a warning comes no later than what is critical', async () => {
  const { settled, stored } = await show()
  const warning = screen.getByRole<HTMLInputElement>('textbox', { name: 'Warning Days of Backups' })
  await act(async () => {
    fireEvent.change(warning, { target: { value: '20' } })
    fireEvent.blur(warning)
  })
  await click('Alerts of all: Backups', 'switch')
  await click('Save Changes')
  await settled()
  expect(stored().backupDefaults).toEqual({ enabled: true, warningDays: 14, criticalDays: 14 })
})

test('[spec 3 §5] ignored prefixes: one per line, trimmed, blank lines dropped, reset', async () => {
  const { settled, stored } = await show('docker')
  const area = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Ignored container prefixes' })
  await act(async () => void fireEvent.change(area, { target: { value: ' runner- \n\nCI-\n' } }))
  expect(area.value).toBe(' runner- \n\nCI-\n')
  await click('Save Changes')
  await settled()
  expect(stored().dockerIgnoredContainerPrefixes).toEqual(['runner-', 'CI-'])
  await click('Reset')
  expect(area.value).toBe('')
})

describe('[spec 3 §2] the search', () => {
  const box = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Search resources' })

  test('is where typing goes, narrows every table, and Escape clears it', async () => {
    await show()
    await act(async () => void fireEvent.keyDown(document.body, { key: 'w' }))
    expect(document.activeElement).toBe(box())
    await act(async () => void fireEvent.change(box(), { target: { value: 'web' } }))
    expect(screen.queryByRole('button', { name: /of mail: / })).toBeNull()
    expect(cell('CPU % of web: 80')).toBeDefined()
    expect(screen.getByText('No storage devices match the search')).toBeDefined()
    await act(async () => void fireEvent.keyDown(box(), { key: 'Escape' }))
    expect(box().value).toBe('')
  })
})

test('who is no administrator reads why there is nothing', async () => {
  await show('proxmox', { role: 'viewer' })
  expect(screen.getByText('You need administrator access to change thresholds.')).toBeDefined()
})

test('[spec 3 §9] everything shown is the factory state', async () => {
  await show()
  const shown = (of: string) =>
    screen
      .getAllByRole('button')
      .map((one) => one.getAttribute('aria-label') ?? '')
      .filter((label) => label.includes(` of ${of}, global defaults`))
      .map((label) => label.split(': ')[1])
  expect(shown('Proxmox Nodes')).toEqual(['80', '85', '90', '80'])
  expect(shown('VMs & Containers')).toEqual(['80', '85', '90', 'Off', 'Off', 'Off', 'Off', 'Off'])
  expect(shown('Storage Devices')).toEqual(['85', '7'])
  expect(alertDefaults.guestDefaults.poweredOffSeverity).toBe('warning')
})

test('why: of any resource, asked by the key of its override', async () => {
  const { asked } = await show('proxmox', {
    replies: { 'GET /api/alerts/trace': { gates: ['Alerts are not active.'], conditions: [] } },
  })
  await click('Why: web')
  await screen.findByText('Alerts are not active.')
  expect(asked('GET /api/alerts/trace').map((one) => one.search)).toEqual(['?resource=guest%3Amain%3A100'])
})
