// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aNode } from '@pulse/testkit'
import { aLive } from '../../../live/fake-live.ts'
import { click, freshBrowser, showAlerts } from '../fake-alerts.tsx'

const show = () => showAlerts('/alerts/thresholds/proxmox', { live: aLive({ nodes: { a: aNode() } }) })

freshBrowser()

test('[spec 3 §5] delays: empty or common is none of its own', async () => {
  const { settled, stored } = await show()
  const [delays] = screen.getAllByRole('button', { name: 'Delays' })
  await act(async () => delays!.click())
  const cpu = screen.getByRole<HTMLInputElement>('textbox', { name: 'Delay of CPU %, Proxmox Nodes' })
  expect([cpu.value, cpu.placeholder]).toEqual(['', '5'])
  await act(async () => {
    fireEvent.change(cpu, { target: { value: '60' } })
    fireEvent.blur(cpu)
  })
  await click('Save Changes')
  await settled()
  expect(stored().metricTimeThresholds).toEqual({ node: { cpu: 60 } })
})

test('a delay of more than seven days is refused in its box, in words, and keeps nothing else from being saved', async () => {
  const { settled, stored } = await show()
  const [delays] = screen.getAllByRole('button', { name: 'Delays' })
  await act(async () => delays!.click())
  const box = (name: string) =>
    screen.getByRole<HTMLInputElement>('textbox', { name: `Delay of ${name}, Proxmox Nodes` })
  const type = (name: string, value: string) =>
    act(async () => {
      fireEvent.change(box(name), { target: { value } })
      fireEvent.blur(box(name))
    })
  await type('CPU %', '604801')
  await type('Memory %', '90')
  expect([box('CPU %').value, box('CPU %').getAttribute('aria-invalid')]).toEqual(['604801', 'true'])
  expect(screen.getByText(/Use 0 to 604,800 seconds/)).toBeDefined()
  await click('Save Changes')
  await settled()
  expect(stored().metricTimeThresholds).toEqual({ node: { memory: 90 } })
  await type('CPU %', '604800')
  expect(screen.queryByText(/Use 0 to 604,800 seconds/)).toBeNull()
})
