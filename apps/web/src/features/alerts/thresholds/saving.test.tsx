// @vitest-environment happy-dom
import { aGuest } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aLive } from '../../../live/fake-live.ts'
import { click, saveCall, showAlerts } from '../fake-alerts.tsx'

const show = () =>
  showAlerts('/alerts/thresholds/proxmox', {
    live: aLive({ guests: { 'main:100': aGuest({ name: 'web', vmid: 100 }) } }),
  })
const cell = (name: string) => screen.getByRole('button', { name })
const input = () => document.activeElement as HTMLInputElement
async function type(name: string, text: string) {
  await act(async () => cell(name).focus())
  await click(name)
  await act(async () => void fireEvent.change(input(), { target: { value: text } }))
}
const saveKey = (change: KeyboardEventInit = { ctrlKey: true }) =>
  act(async () => fireEvent.keyDown(document.activeElement!, { key: 's', ...change }))

beforeEach(() => localStorage.clear())
afterEach(cleanup)

test.each([{ ctrlKey: true }, { metaKey: true }])(
  '%j S saves what is being typed too, and the cell keeps the focus',
  async (keys) => {
    const { stored, settled } = await show()
    await type('CPU % of web: 80', '95')
    await saveKey(keys)
    await settled()
    expect(stored().overrides).toEqual({ 'guest:main:100': { cpu: { trigger: 95, clear: 90 } } })
    expect(screen.queryByText('You have unsaved changes')).toBeNull()
    expect(document.activeElement).toBe(cell('CPU % of web: 95'))
  },
)

test('Ctrl+S in a field of days saves it', async () => {
  const { stored, settled } = await show()
  const days = screen.getByRole<HTMLInputElement>('textbox', { name: 'Critical Days of Backups' })
  await act(async () => {
    days.focus()
    fireEvent.change(days, { target: { value: '30' } })
  })
  await saveKey()
  await settled()
  expect(stored().backupDefaults.criticalDays).toBe(30)
  expect(document.activeElement).toBe(days)
})

test('Ctrl+S with nothing to save sends nothing, and the browser saves no page', async () => {
  const { asked } = await show()
  expect(await saveKey()).toBe(false)
  expect(asked(saveCall)).toEqual([])
  expect(await saveKey({})).toBe(true)
})

test('after Save Changes the focus is where it was before', async () => {
  const { settled } = await show()
  await type('CPU % of web: 80', '95')
  await act(async () => void fireEvent.keyDown(input(), { key: 'Enter' }))
  await act(async () => screen.getByRole('button', { name: 'Save Changes' }).focus())
  await click('Save Changes')
  await settled()
  expect(document.activeElement).toBe(cell('CPU % of web: 95'))
})
