// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { anAlertConfig, click, freshBrowser } from '../fake-alerts.tsx'
import { showThresholds as show } from '../fake-thresholds.tsx'

const cell = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })

freshBrowser()

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

  test('datastores, disks, Ceph and failed backup runs have each their own', async () => {
    const { settled, stored } = await show()
    for (const name of ['PBS Datastores', 'Physical disks', 'Ceph clusters', 'Failed backup runs'])
      await click(`Alerts of all: ${name}`, 'switch')
    await click('Save Changes')
    await settled()
    expect(stored()).toMatchObject({
      disableAllDatastores: true,
      disableAllDisks: true,
      disableAllCeph: true,
      disableAllFailedBackups: true,
      disableAllStorage: false,
      backupDefaults: { enabled: false },
    })
  })

  test('the offline alert is on for all, or off', async () => {
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
