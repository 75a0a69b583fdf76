// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Checkbox } from './checkbox.tsx'
import { Select } from './select.tsx'
import { Switch } from './switch.tsx'

afterEach(cleanup)

const options = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
] as const

test('a select shows its value and reports a change', async () => {
  const chosen: string[] = []
  render(
    <main>
      <Select label="Expires" value="never" options={options} onChange={(value) => chosen.push(value)} />
    </main>,
  )
  const trigger = screen.getByRole('combobox', { name: 'Expires' })
  expect(trigger.textContent).toBe('Never')
  await act(async () => void fireEvent.click(trigger))
  const option = screen.getByRole('option', { name: 'In 30 days' })
  expect(document.querySelector('main')!.contains(option)).toBe(true)
  await act(async () => {
    fireEvent.pointerDown(option)
    fireEvent.click(option)
  })
  expect(chosen).toEqual(['30'])
})

test('[facts platform §7.4] an open select writes no style element: the policy forbids it', async () => {
  render(<Select label="Expires" value="never" options={options} onChange={() => {}} />)
  await act(async () => void fireEvent.click(screen.getByRole('combobox')))
  expect(screen.getAllByRole('option')).toHaveLength(2)
  expect(document.querySelectorAll('style')).toHaveLength(0)
})

test('a switch has a name, a hint and two states', async () => {
  const changes: boolean[] = []
  render(
    <Switch label="Enable" hint="Beside the password" checked={false} onChange={(on) => changes.push(on)} />,
  )
  const control = screen.getByRole('switch', { name: 'Enable', description: 'Beside the password' })
  expect(control.getAttribute('aria-checked')).toBe('false')
  await act(async () => void fireEvent.click(control))
  expect(changes).toEqual([true])
})

test('a switch whose label is its state has its own accessible name', () => {
  render(<Switch name="Quiet hours" label="Disabled" checked={false} onChange={() => {}} />)
  expect(screen.getByRole('switch', { name: 'Quiet hours' })).toBeDefined()
  expect(screen.getByText('Disabled')).toBeDefined()
})

test('a checkbox has a name and a hint apart', () => {
  const changes: boolean[] = []
  render(<Checkbox label="docker:report" hint="Report" checked={false} onChange={(on) => changes.push(on)} />)
  fireEvent.click(screen.getByRole('checkbox', { name: 'docker:report', description: 'Report' }))
  expect(changes).toEqual([true])
})
