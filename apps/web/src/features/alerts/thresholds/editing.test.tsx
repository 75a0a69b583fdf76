// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { anAlertConfig, click, freshBrowser, inTable, saveCall, toasts } from '../fake-alerts.tsx'
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

freshBrowser()

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
    // this is the stored value
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
