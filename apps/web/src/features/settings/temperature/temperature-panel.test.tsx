// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Answer, loadAgain, renderSettings, settled } from '../fake-settings.tsx'
import { takeToasts } from '../diagnostics/fake-diagnostics.ts'
import { aTemperatureNode } from './fake-temperature.ts'
import { NodeCheckPanel } from './node-check-panel.tsx'
import { TemperaturePanel } from './temperature-panel.tsx'

const list = 'GET /api/temperature/nodes'
const check = 'POST /api/diagnostics/temperature-proxy/register-nodes'
const put = 'PUT /api/temperature/nodes/c1/pve1'
const script = 'GET /api/temperature/setup-script'
const on = aTemperatureNode({ enabled: true, status: 'ok' })

const show = (nodes = [aTemperatureNode()], replies: Record<string, unknown> = {}) =>
  renderSettings(<TemperaturePanel />, { replies: { [list]: { nodes }, ...replies } })

async function click(name: string) {
  fireEvent.click(screen.getByRole('button', { name }))
  await settled()
}
const items = (name: string) =>
  within(screen.getByRole('list', { name }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
const theSwitch = () => screen.getByRole('switch', { name: 'pve1' })

beforeEach(() => {
  takeToasts()
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime('2026-01-02T10:00:00Z')
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('each node', () => {
  test.each([
    { status: 'off', words: 'Off' },
    { status: 'not_set_up', words: 'Not set up: run the setup script, then check' },
    { status: 'waiting', words: 'Waiting for the first reading' },
    { status: 'ok', words: 'Working' },
    { status: 'failing', words: 'Failing' },
    { status: 'paused', words: 'Paused after three failures, tried again in five minutes' },
  ] as const)('$status: $words', async ({ status, words }) => {
    await show([aTemperatureNode({ enabled: status !== 'off', status })])
    expect(within(screen.getByRole('listitem')).getByText(words)).toBeDefined()
  })

  test('shows connection, address, problem, last reading and host key', async () => {
    await show([
      aTemperatureNode({
        enabled: true,
        status: 'failing',
        error: 'the node did not answer',
        lastRead: '2026-01-02T09:59:00Z',
        hostKeyFingerprint: 'SHA256:abc',
      }),
      aTemperatureNode({ node: 'pve2', address: undefined }),
    ])
    expect(items('Nodes')[0]).toContain('prod · 192.0.2.11')
    expect(items('Nodes')[0]).toContain('the node did not answerLast reading 1 minute agoHost key SHA256:abc')
    expect(items('Nodes')[1]).toContain('prod · address not known yet')
  })

  test('is switched on by itself', async () => {
    const { calls } = await show([aTemperatureNode(), aTemperatureNode({ node: 'pve2' })], { [put]: on })
    fireEvent.click(theSwitch())
    await settled()
    expect(calls.at(-1)).toMatchObject({ call: put, body: { enabled: true } })
    const states = screen.getAllByRole('switch').map((one) => one.getAttribute('aria-checked'))
    expect(states).toEqual(['true', 'false'])
  })

  test.each([
    { answer: new Answer(409, { error: 'ssh is not installed here.' }), said: 'ssh is not installed here.' },
    { answer: new Answer(502, '<html>Bad gateway</html>'), said: 'Request failed with status 502' },
    { answer: new Answer(500), said: 'Failed to change the temperature helper' },
  ])('stays off and says $said', async ({ answer, said }) => {
    await show([aTemperatureNode()], { [put]: answer })
    fireEvent.click(theSwitch())
    await settled()
    expect(theSwitch().getAttribute('aria-checked')).toBe('false')
    expect(takeToasts()).toEqual([said])
  })

  test('is locked where something else fixes it, and says what', async () => {
    await show([{ ...on, lockedBy: 'TEMPERATURE_NODES' }])
    expect(items('Nodes')[0]).toContain('prod · 192.0.2.11 · Fixed by TEMPERATURE_NODES')
    expect(theSwitch().getAttribute('aria-disabled')).toBe('true')
    expect(screen.getByRole('textbox', { name: 'SSH port of pve1' })).toHaveProperty('disabled', true)
  })

  test('its port is saved when the field is left', async () => {
    const { calls } = await show([on], { [put]: { ...on, port: 2222 } })
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'SSH port of pve1' })
    fireEvent.change(field, { target: { value: '70000' } })
    fireEvent.blur(field)
    expect(screen.getByText('1 to 65535')).toBeDefined()
    fireEvent.change(field, { target: { value: '2222' } })
    fireEvent.blur(field)
    await settled()
    expect(calls.map(({ call, body }) => [call, body]).slice(1)).toEqual([
      [put, { enabled: true, port: 2222 }],
    ])
    expect(field.value).toBe('2222')
  })

  test('off has no port and needs no script', async () => {
    await show()
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Download setup script' })).toBeNull()
  })
})

describe('[spec 2 §2] the proxy node check', () => {
  test('says Checking... and is asked once', async () => {
    const answer = Promise.withResolvers()
    await show([on], { [check]: answer.promise })
    fireEvent.click(screen.getByRole('button', { name: 'Check proxy nodes' }))
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Checking...' })
    expect(button.disabled).toBe(true)
    answer.resolve({ success: true, message: 'done', nodes: [] })
    await settled()
    expect(screen.getByRole('button', { name: 'Check proxy nodes' })).toBeDefined()
  })

  test.each([
    {
      message: 'All nodes are ready: their temperatures can be read.',
      success: true,
      nodes: [{ name: 'pve1', ssh_ready: true }],
      shown: ['pve1Reachable'],
    },
    {
      message: 'Some nodes are not ready. Run the setup script on them and check again.',
      success: false,
      nodes: [
        { name: 'pve1', ssh_ready: true },
        { name: 'pve2', ssh_ready: false, error: 'pve2: refused the connection' },
      ],
      shown: ['pve1Reachable', 'pve2Unreachablerefused the connection'],
    },
  ])('$message', async ({ shown, ...reply }) => {
    const { calls } = await show([on], { [check]: reply })
    await click('Check proxy nodes')
    expect(screen.getByRole('status').textContent).toContain(reply.message)
    expect(items('Proxy nodes')).toEqual(shown)
    expect(calls.map(({ call }) => call)).toEqual([list, check, list])
  })

  test('stands among the diagnostics too, without the switches', async () => {
    const reply = { message: 'Done', success: true, nodes: [{ name: 'pve1', ssh_ready: true }] }
    const { calls } = await renderSettings(<NodeCheckPanel />, { replies: { [check]: reply } })
    await click('Check proxy nodes')
    expect(items('Proxy nodes')).toEqual(['pve1Reachable'])
    expect(screen.queryByRole('switch')).toBeNull()
    expect(calls.map(({ call }) => call)).toEqual([check])
  })

  test('Temperature reading is not set up. Enable it for a node first.', async () => {
    const message = 'Temperature reading is not set up. Enable it for a node first.'
    await show([aTemperatureNode()], { [check]: { success: false, message, nodes: [] } })
    await click('Check proxy nodes')
    expect(screen.getByRole('status').textContent).toBe(message)
    expect(screen.queryByRole('list', { name: 'Proxy nodes' })).toBeNull()
  })

  test('[spec 2 §8] says Failed to query proxy nodes', async () => {
    await show([on], { [check]: new Answer(503, { error: 'gone' }) })
    await click('Check proxy nodes')
    expect(takeToasts()).toEqual(['Failed to query proxy nodes'])
    expect(screen.queryByRole('status')).toBeNull()
  })
})

describe('the setup script', () => {
  const files: string[] = []
  beforeEach(() => {
    files.length = 0
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1')
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      files.push(this.download)
    })
  })
  const type = (value: string) =>
    fireEvent.change(screen.getByRole('textbox', { name: 'Only from these addresses (optional)' }), {
      target: { value },
    })

  test.each([
    { typed: '', search: '' },
    { typed: ' 192.0.2.10, 2001:db8::/32', search: '?from=192.0.2.10%2C2001%3Adb8%3A%3A%2F32' },
  ])('for connections from "$typed"', async ({ typed, search }) => {
    const { calls } = await show([on], { [script]: new Answer(200, '#!/bin/sh') })
    type(typed)
    await click('Download setup script')
    expect(calls.at(-1)).toMatchObject({ call: script, search })
    expect(files).toEqual(['pulse-temperature-setup.sh'])
  })

  test('a wrong address is shown at the field', async () => {
    const error = 'Give addresses or subnets, separated by commas.'
    await show([on], { [script]: new Answer(400, { error }) })
    type('pulse.example')
    await click('Download setup script')
    expect(screen.getByText(error)).toBeDefined()
    type('192.0.2.10')
    expect(screen.queryByText(error)).toBeNull()
    expect([takeToasts(), files]).toEqual([[], []])
  })

  test('[spec 2 §8] another failure is shown by a toast', async () => {
    await show([on], { [script]: new Answer(500) })
    await click('Download setup script')
    expect(takeToasts()).toEqual(['Failed to download script. Please check your connection.'])
  })
})

describe('the list', () => {
  test('is empty without Proxmox VE nodes', async () => {
    await show([])
    expect(screen.getByRole('heading', { name: 'No Proxmox VE nodes' })).toBeDefined()
  })

  test('shows its shape while it loads', async () => {
    const answer = Promise.withResolvers()
    await renderSettings(<TemperaturePanel />, { pending: true, replies: { [list]: answer.promise } })
    expect(screen.getByRole('status', { name: 'Loading nodes' })).toBeDefined()
    answer.resolve({ nodes: [] })
    await settled()
  })

  test('that cannot be loaded says why, and can be retried', async () => {
    const { replies } = await show([], { [list]: new Answer(500, { error: 'database is locked' }) })
    expect(screen.getByRole('alert').textContent).toBe(
      'Failed to load the temperature helperdatabase is lockedRetry',
    )
    replies[list] = { nodes: [on] }
    await click('Retry')
    expect(theSwitch()).toBeDefined()
  })

  test('follows the server', async () => {
    const { replies } = await show([on])
    replies[list] = { nodes: [{ ...on, status: 'failing' }] }
    await loadAgain()
    expect(screen.getByText('Failing')).toBeDefined()
  })
})
