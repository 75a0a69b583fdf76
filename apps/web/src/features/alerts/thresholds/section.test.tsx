// @vitest-environment happy-dom
import { alertDefaults } from '@pulse/contract'
import {
  aDockerContainer,
  aDockerHost,
  aGuest,
  aMailGateway,
  aNode,
  aPbsServer,
  aStorage,
} from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aLive } from '../../../live/fake-live.ts'
import { anAlertConfig, click, inTable, saveCall, showAlerts, toasts } from '../fake-alerts.tsx'

const estate = () =>
  aLive({
    nodes: { 'main:pve1': aNode() },
    pbs: { backup: aPbsServer() },
    guests: {
      'main:100': aGuest({ name: 'web', vmid: 100 }),
      'main:101': aGuest({ name: 'mail', vmid: 101, type: 'lxc' }),
      'main:900': aGuest({ name: 'image', vmid: 900, template: true }),
    },
    storage: { 'main:pve1:local': aStorage() },
    dockerHosts: { dock1: aDockerHost({ id: 'dock1', displayName: 'Cellar', source: 'dock1' }) },
    dockerContainers: { 'dock1:cache': aDockerContainer({ name: 'cache', host: 'dock1', source: 'dock1' }) },
  })

const show = (path = 'proxmox', given: Parameters<typeof showAlerts>[1] = {}) =>
  showAlerts(`/alerts/thresholds/${path}`, { live: estate(), ...given })

const cell = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
const input = () => document.activeElement as HTMLInputElement
async function type(cellName: string | RegExp, text: string) {
  await click(cellName)
  await act(async () => void fireEvent.change(input(), { target: { value: text } }))
}
const leave = () => act(async () => input().blur())
const press = (key: string) => act(async () => void fireEvent.keyDown(input(), { key }))
const unsaved = () => screen.queryByText('You have unsaved changes') !== null

beforeEach(() => {
  localStorage.clear()
  toasts()
  vi.stubGlobal('scrollTo', () => {})
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
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
      'Offline',
      'Actions',
    ])
    expect(screen.getAllByText('Global Defaults')).toHaveLength(6)
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

  test('a summary leads to each section that has items or overrides', async () => {
    await show('proxmox', {
      live: aLive({ nodes: { 'main:pve1': aNode() } }),
      config: anAlertConfig({ overrides: { 'node:main:pve1': { disableConnectivity: true } } }),
    })
    const items = within(screen.getByRole('list', { name: 'Sections' })).getAllByRole('button')
    expect(items.map(({ textContent }) => textContent)).toEqual(['Proxmox Nodes1 · 1 override'])
  })
})

describe('[spec 3 §4] editing a value', () => {
  test('leaving the cell keeps it: the override comes, with its badge, and changes are unsaved', async () => {
    const { stored, asked, settled } = await show()
    await type('CPU % of web: 80', '95')
    await leave()
    expect(cell('CPU % of web: 95').dataset['own']).toBe('true')
    expect(inTable('VMs & Containers').getByText('Custom')).toBeDefined()
    expect([unsaved(), asked(saveCall)]).toEqual([true, []])
    await click('Save Changes')
    await settled()
    expect(stored().overrides).toEqual({ 'guest:main:100': { cpu: { trigger: 95, clear: 90 } } })
    expect([unsaved(), toasts()]).toEqual([false, ['success: Configuration saved successfully!']])
  })

  test('set to what is inherited, or cleared, there is none', async () => {
    const overrides = { 'guest:main:100': { cpu: { trigger: 95, clear: 90 } } }
    for (const text of ['80', '']) {
      const { settled, stored } = await show('proxmox', { config: anAlertConfig({ overrides }) })
      await type('CPU % of web: 95', text)
      await press('Enter')
      await click('Save Changes')
      await settled()
      expect(stored().overrides).toEqual({})
      cleanup()
    }
  })

  test('-1 is off; a click on Off gives what the factory gives', async () => {
    await show()
    await type('CPU % of web: 80', '-1')
    await press('Enter')
    expect(unsaved()).toBe(true)
    await click('CPU % of web: Off')
    // that is what is stored
    expect(unsaved()).toBe(false)
    expect(cell('CPU % of web: 80')).toBeDefined()
    await click('Disk R MB/s of web: Off')
    expect(cell('Disk R MB/s of web: 100')).toBeDefined()
  })

  test('Escape and Cancel leave it as it was', async () => {
    await show()
    await type('CPU % of web: 80', '95')
    await press('Escape')
    expect([unsaved(), document.activeElement]).toEqual([false, cell('CPU % of web: 80')])
    await click('Edit web')
    await act(async () => void fireEvent.change(input(), { target: { value: '95' } }))
    await click('Cancel editing web')
    expect([unsaved(), cell('CPU % of web: 80')]).toEqual([false, expect.anything()])
  })

  test('no key presses the button that comes back in its place, and Tab goes on from it', async () => {
    await show()
    for (const key of ['Enter', 'Escape', 'Tab']) {
      await type('CPU % of web: 80', '80')
      let goesOn = true
      await act(async () => void (goesOn = fireEvent.keyDown(input(), { key })))
      expect([key, goesOn, document.activeElement]).toEqual([key, key === 'Tab', cell('CPU % of web: 80')])
    }
  })

  test('what a row can always do stands last in it, whether it has an override or not', async () => {
    const overrides = { 'guest:main:100': { cpu: { trigger: 95, clear: 90 } } }
    await show('proxmox', { config: anAlertConfig({ overrides }) })
    const lastOf = (name: string) =>
      within(cell(`Edit ${name}`).closest('[role=gridcell]')!)
        .getAllByRole('button')
        .map((button) => button.getAttribute('aria-label'))
    expect(lastOf('web')).toEqual(['Remove override of web', 'Why: web', 'Edit web'])
    expect(lastOf('mail')).toEqual(['Why: mail', 'Edit mail'])
  })

  test('one cell is edited at a time', async () => {
    await show()
    await type('CPU % of web: 80', '95')
    await click('Memory % of mail: 85')
    expect(screen.getAllByRole('textbox').filter((one) => one.closest('[data-row]'))).toHaveLength(1)
    expect(input().getAttribute('aria-label')).toBe('Memory % of mail')
  })

  test('what is no number changes nothing; typing in a cell does not search', async () => {
    await show()
    await type('CPU % of web: 80', 'lots')
    await press('l')
    await leave()
    expect([unsaved(), cell('CPU % of web: 80')]).toEqual([false, expect.anything()])
  })

  test('what holds for all changes every row that has nothing of its own', async () => {
    await show('proxmox', {
      config: anAlertConfig({ overrides: { 'guest:main:101': { cpu: { trigger: 60, clear: 55 } } } }),
    })
    await type('CPU % of VMs & Containers, global defaults: 80', '70')
    await leave()
    expect([cell('CPU % of web: 70'), cell('CPU % of mail: 60')]).toHaveLength(2)
    await click('Reset defaults of VMs & Containers')
    expect(cell('CPU % of web: 80')).toBeDefined()
  })

  test('the values of backup servers are those of nodes', async () => {
    await show()
    expect(cell('CPU % of PBS Servers, global defaults: 80').disabled).toBe(true)
    await type('CPU % of Proxmox Nodes, global defaults: 80', '70')
    await leave()
    expect(cell('CPU % of backup: 70')).toBeDefined()
  })
})

describe('[spec 3 §4] toggles', () => {
  test('of one resource', async () => {
    const { settled, stored } = await show()
    await click('Alerts of web', 'switch')
    await click('Offline alerts of pve1', 'switch')
    await click('Save Changes')
    await settled()
    expect(stored().overrides).toEqual({
      'guest:main:100': { disabled: true },
      'node:main:pve1': { disableConnectivity: true },
    })
  })

  test('the offline control of a guest goes from warning to critical to off, and as inherited it is none', async () => {
    const { settled, stored } = await show()
    await click('Offline alerts of web: Warning')
    await click('Offline alerts of web: Critical')
    await click('Save Changes')
    await settled()
    expect(stored().overrides).toEqual({ 'guest:main:100': { disableConnectivity: true } })
    await click('Offline alerts of web: Off')
    await click('Save Changes')
    await settled()
    expect(stored().overrides).toEqual({})
  })

  test('the offline control of a container too, and as inherited it is none', async () => {
    const { settled, stored } = await show('docker')
    await click('Offline alerts of cache: Warning')
    await click('Save Changes')
    await settled()
    expect(stored().overrides).toEqual({ 'dockerContainer:dock1:cache': { poweredOffSeverity: 'critical' } })
    await click('Offline alerts of cache: Critical')
    await click('Offline alerts of cache: Off')
    await click('Save Changes')
    await settled()
    expect(stored().overrides).toEqual({})
  })

  test('an override is removed as a whole', async () => {
    const overrides = { 'guest:main:100': { disabled: true, cpu: { trigger: 95, clear: 90 } } }
    const { settled, stored } = await show('proxmox', { config: anAlertConfig({ overrides }) })
    await click('Remove override of web')
    await click('Save Changes')
    await settled()
    expect(stored().overrides).toEqual({})
    expect(screen.queryByText('Custom')).toBeNull()
  })

  test('the switch for all overrides those of single ones: rows are dimmed and say so', async () => {
    await show()
    await click('Alerts of all: VMs & Containers', 'switch')
    const web = within(cell('CPU % of web: 80').closest<HTMLElement>('[data-row]')!)
    expect(web.getByText('Alerts disabled globally')).toBeDefined()
    const toggle = web.getByRole<HTMLButtonElement>('switch', { name: 'Alerts of web' })
    expect([toggle.getAttribute('aria-checked'), toggle.disabled]).toEqual(['false', true])
    expect(cell('CPU % of web: 80').disabled).toBe(true)
    expect(cell('CPU % of web: 80').closest('[data-dimmed]')!.getAttribute('data-dimmed')).toBe('true')
  })

  test('being off is told for all, or not', async () => {
    const { settled, stored } = await show()
    await click('Offline alerts of all: VMs & Containers: Warning')
    await click('Offline alerts of all: PBS Servers', 'switch')
    expect(cell('Offline alerts of mail: Critical')).toBeDefined()
    await click('Save Changes')
    await settled()
    expect(stored()).toMatchObject({
      disableAllPBSOffline: true,
      guestDefaults: { disableConnectivity: false, poweredOffSeverity: 'critical' },
    })
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

test('[spec 3 §2] quick tips that were dismissed do not come back', async () => {
  await show()
  await click('Dismiss quick tips')
  expect(localStorage.getItem('hideAlertsQuickTip')).toBe('true')
  cleanup()
  await show()
  expect(screen.queryByText('Quick tips')).toBeNull()
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
  expect(shown('VMs & Containers')).toEqual(['80', '85', '90', 'Off', 'Off', 'Off', 'Off'])
  expect(shown('Storage Devices')).toEqual(['85'])
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
