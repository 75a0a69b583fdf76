// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Answer, settled } from '../fake-settings.tsx'
import { toasts } from '../nodes/fake-nodes.tsx'
import { DiscoveryScopePanel } from './discovery-scope-panel.tsx'
import { field, flip, renderSystem, saveCall, someSettings, type } from './fake-system.tsx'
import { useSystemSettings } from './section.tsx'
import type { LoadedSettings } from './system-form.ts'

function Loaded() {
  const { data } = useSystemSettings()
  return data && <DiscoveryScopePanel settings={data} />
}

async function show(settings: Partial<LoadedSettings> = {}, reply: unknown = { success: true }) {
  const view = await renderSystem(<Loaded />, {
    settings: someSettings(settings),
    replies: { [saveCall]: reply },
  })
  return view
}

const subnets = 'Subnets'
const mode = (name: string) => screen.getByRole('radio', { name })
const isChosen = (name: string) => mode(name).getAttribute('aria-checked') === 'true'
async function choose(name: string) {
  fireEvent.click(mode(name))
  await settled()
}
async function leave() {
  fireEvent.blur(field(subnets))
  await settled()
}
async function press(key: string) {
  fireEvent.keyDown(field(subnets), { key })
  await settled()
}
async function toggle(subnet: string) {
  fireEvent.click(screen.getByRole('button', { name: subnet }))
  await settled()
}
const problem = () => document.querySelector('[aria-invalid=true]')?.getAttribute('aria-describedby')
const problemText = () => {
  const id = problem()
  return id ? document.getElementById(id)?.textContent : undefined
}
const custom = { discoverySubnet: '10.1.0.0/24' }

beforeEach(() => void toasts())
afterEach(cleanup)

describe('[spec 2 §4] the scope of discovery', () => {
  test('choosing auto saves auto', async () => {
    const { sent } = await show(custom)
    expect([isChosen('Custom subnet'), field(subnets).value]).toEqual([true, '10.1.0.0/24'])
    await choose('Auto')
    expect(sent()).toEqual([{ discoverySubnet: 'auto' }])
    expect([isChosen('Auto'), toasts()]).toEqual([true, ['success: Discovery subnet saved']])
  })

  test('choosing custom focuses the input and saves nothing yet', async () => {
    const { sent } = await show()
    await choose('Custom subnet')
    await expect.poll(() => document.activeElement).toBe(field(subnets))
    expect(sent()).toEqual([])
  })

  test('auto again, before anything was entered, saves nothing', async () => {
    const { sent } = await show()
    await choose('Custom subnet')
    await choose('Auto')
    expect([isChosen('Auto'), sent()]).toEqual([true, []])
  })

  test.each([
    { how: 'on Enter', commit: () => press('Enter') },
    { how: 'on leaving', commit: leave },
  ])('the input is saved $how, without duplicates and the word auto', async ({ commit }) => {
    const { sent } = await show()
    await choose('Custom subnet')
    type(subnets, ' 10.1.0.0/24, auto,10.2.0.0/16 ,10.1.0.0/24')
    await commit()
    expect(sent()).toEqual([{ discoverySubnet: '10.1.0.0/24,10.2.0.0/16' }])
    expect(field(subnets).value).toBe('10.1.0.0/24, 10.2.0.0/16')
  })

  test('Enter and then leaving sends once', async () => {
    const { sent } = await show()
    await choose('Custom subnet')
    type(subnets, '10.1.0.0/24')
    fireEvent.keyDown(field(subnets), { key: 'Enter' })
    await act(async () => void fireEvent.blur(field(subnets)))
    await settled()
    await leave()
    expect(sent()).toHaveLength(1)
  })

  test('a save during another one follows it, and only the last says that it is saved', async () => {
    const enter = () => act(async () => void fireEvent.keyDown(field(subnets), { key: 'Enter' }))
    const first = Promise.withResolvers()
    const second = Promise.withResolvers()
    const { sent, replies } = await show(custom, first.promise)
    type(subnets, '10.2.0.0/24')
    await enter()
    replies[saveCall] = second.promise
    type(subnets, '10.3.0.0/24')
    await enter()
    expect([sent(), toasts()]).toEqual([[{ discoverySubnet: '10.2.0.0/24' }], []])
    await act(async () => first.resolve({ success: true }))
    await waitFor(() => expect(sent()).toHaveLength(2))
    expect([sent().at(-1), toasts()]).toEqual([{ discoverySubnet: '10.3.0.0/24' }, []])
    await act(async () => second.resolve({ success: true }))
    await settled()
    expect([sent().length, field(subnets).value, toasts()]).toEqual([
      2,
      '10.3.0.0/24',
      ['success: Discovery subnet saved'],
    ])
  })

  test('an unchanged value is not resent', async () => {
    const { sent } = await show(custom)
    type(subnets, ' 10.1.0.0/24 ')
    await leave()
    expect(sent()).toEqual([])
  })

  test('[spec 2 §8] while discovery is on, a scan follows', async () => {
    await show({ discoveryEnabled: true })
    await choose('Custom subnet')
    type(subnets, '10.1.0.0/24')
    await leave()
    expect(toasts()).toEqual(['success: Discovery subnet updated — scanning network...'])
  })

  test('[spec 2 §8] a failure says so and the switch reverts', async () => {
    await show(custom, new Answer(500, { error: 'storage' }))
    await choose('Auto')
    expect(toasts()).toEqual(['error: Failed to update discovery subnet'])
    expect([isChosen('Custom subnet'), field(subnets).value]).toEqual([true, '10.1.0.0/24'])
  })
})

describe('[spec 2 §5] subnets', () => {
  const empty = 'Enter at least one subnet in CIDR format (e.g., 192.168.1.0/24)'
  const invalid = 'Use CIDR format such as 192.168.1.0/24 (comma-separated for multiple)'

  test.each([
    { text: '', message: empty },
    { text: ' , ', message: empty },
    { text: 'auto', message: empty },
    { text: '10.0.0.0', message: invalid },
    { text: '10.0.0.256/24', message: invalid },
    { text: '10.0.0.0/33', message: invalid },
    { text: '10.0.0.0/24 10.1.0.0/24', message: invalid },
    { text: 'fe80::/64', message: invalid },
  ])('"$text": $message', async ({ text, message }) => {
    const { sent } = await show(custom)
    type(subnets, text)
    await leave()
    expect([problemText(), sent()]).toEqual([message, []])
    type(subnets, '10.2.0.0/24')
    expect(problem()).toBeUndefined()
  })

  test('chips add and take away, and save at once', async () => {
    const { sent } = await show(custom)
    await toggle('192.168.1.0/24')
    expect(sent()).toEqual([{ discoverySubnet: '10.1.0.0/24,192.168.1.0/24' }])
    const chip = screen.getByRole('button', { name: '192.168.1.0/24' })
    expect(chip.getAttribute('aria-pressed')).toBe('true')
    await toggle('192.168.1.0/24')
    expect(sent().at(-1)).toEqual({ discoverySubnet: '10.1.0.0/24' })
  })

  test('all chips deselected leaves nothing to save', async () => {
    const { sent } = await show({ discoverySubnet: '10.0.0.0/24' })
    await toggle('10.0.0.0/24')
    expect([problemText(), sent()]).toEqual([empty, []])
  })

  test('an empty list cannot be switched on', async () => {
    const { sent } = await show()
    await choose('Custom subnet')
    await flip('Discovery')
    expect([problemText(), sent()]).toEqual(['Enter at least one subnet before enabling discovery', []])
    type(subnets, 'nonsense')
    await flip('Discovery')
    expect([problemText(), sent()]).toEqual([invalid, []])
  })

  test('auto can', async () => {
    const { sent } = await show()
    await flip('Discovery')
    expect(sent()).toEqual([{ discoveryEnabled: true }])
  })
})
