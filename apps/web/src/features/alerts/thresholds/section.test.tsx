// @vitest-environment happy-dom
import { alertDefaults } from '@pulse/contract'
import { aMailGateway, aNode } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aLive } from '../../../live/fake-live.ts'
import { anAlertConfig, click, inTable, saveCall, toasts } from '../fake-alerts.tsx'
import { showThresholds as show } from '../fake-thresholds.tsx'

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

  test('storage devices and datastores share one default, and both rows say so', async () => {
    const { stored, settled } = await show()
    expect(inTable('Storage Devices').getByText('Shared with PBS Datastores')).toBeDefined()
    expect(inTable('PBS Datastores').getByText('Shared with Storage Devices')).toBeDefined()
    expect(inTable('PBS Servers').getByText('Follows Proxmox Nodes')).toBeDefined()
    await type('Usage % of PBS Datastores, global defaults: 85', '70')
    await press('Enter')
    expect(cell('Usage % of Storage Devices, global defaults: 70')).toBeDefined()
    expect(cell('Usage % of main: 70')).toBeDefined()
    await type('Usage % of main: 70', '60')
    await press('Enter')
    await click('Save Changes')
    await settled()
    expect(stored()).toMatchObject({
      storageDefault: { trigger: 70, clear: 65 },
      overrides: { 'datastore:backup:main': { usage: { trigger: 60, clear: 55 } } },
    })
  })

  test('the values of backup servers are those of nodes', async () => {
    await show()
    expect(cell('CPU % of PBS Servers, global defaults: 80').disabled).toBe(true)
    await type('CPU % of Proxmox Nodes, global defaults: 80', '70')
    await leave()
    expect(cell('CPU % of backup: 70')).toBeDefined()
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
