// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { Answer, settled } from '../fake-settings.tsx'
import { aNodeConfig, inDialog, toasts } from './fake-nodes.tsx'
import {
  nodes,
  settings,
  saveSettings,
  found,
  scan,
  aReply,
  aServer,
  withDiscovery,
  show,
  click,
  flip,
  toggle,
  isOn,
  servers,
  freshSection,
} from './fake-section.tsx'
import { PbsSection, PmgSection, PveSection } from './section.tsx'

freshSection()

describe('[spec 2 §4] the discovery switch', () => {
  test('turning it on saves it and triggers a scan', async () => {
    const { asked } = await show({
      [settings]: withDiscovery({ discoveryEnabled: false }),
      [scan]: aReply({ servers: [aServer()] }),
    })
    expect(isOn()).toBe(false)
    expect(screen.getByText(/^Discovery is off\. Switch it on/)).toBeDefined()
    await flip()
    expect(asked(saveSettings).map(({ body }) => body)).toEqual([{ discoveryEnabled: true }])
    expect(asked(scan).map(({ body }) => body)).toEqual([{ subnet: 'auto' }])
    expect(isOn()).toBe(true)
    expect(servers()).toEqual(['192.0.2.20192.0.2.20:8006Version unknownAdd'])
  })

  test('turning it off only saves', async () => {
    const { asked } = await show()
    await flip()
    expect(asked(saveSettings).map(({ body }) => body)).toEqual([{ discoveryEnabled: false }])
    expect(asked(scan)).toEqual([])
    expect(isOn()).toBe(false)
  })

  test('is disabled while a change is in progress', async () => {
    const answer = Promise.withResolvers()
    await show({ [saveSettings]: answer.promise })
    await act(async () => void fireEvent.click(toggle()))
    expect([isOn(), toggle().getAttribute('aria-disabled')]).toEqual([false, 'true'])
    answer.resolve({ success: true })
    await settled()
    expect(toggle().getAttribute('aria-disabled')).toBeNull()
  })

  test('is locked while the environment sets it, and says so', async () => {
    await show({ [settings]: withDiscovery({ envOverrides: { discoveryEnabled: true } }) })
    expect(toggle().getAttribute('aria-disabled')).toBe('true')
    expect(screen.getByText('Fixed by the environment or pulse.yaml')).toBeDefined()
  })

  test('[spec 2 §5] needs a subnet when the scope is custom', async () => {
    const { asked } = await show({
      [settings]: withDiscovery({ discoveryEnabled: false, discoverySubnet: '' }),
    })
    await flip()
    expect(toasts()).toEqual(['error: Enter at least one subnet before enabling discovery'])
    expect(asked(saveSettings)).toEqual([])
  })

  test('[spec 2 §8] goes back when saving fails', async () => {
    await show({ [saveSettings]: new Answer(500, { error: 'disk full' }) })
    await flip()
    expect(toasts()).toEqual(['error: Failed to update discovery setting'])
    expect(isOn()).toBe(true)
  })

  test('[spec 2 §8] a scan that cannot start says so', async () => {
    await show({
      [settings]: withDiscovery({ discoveryEnabled: false }),
      [scan]: new Answer(500, { error: 'no' }),
    })
    await flip()
    expect(toasts()).toEqual(['error: Failed to start discovery scan'])
  })
})

describe('[spec 2 §8] Refresh discovery', () => {
  test('says so, with a note for auto discovery, and scans', async () => {
    const { asked } = await show({ [scan]: aReply() })
    await click('Refresh discovery')
    expect(toasts()).toEqual([
      'info: Refreshing discovery... Auto discovery scans each network phase; large networks may take longer.',
    ])
    expect(asked(scan)).toHaveLength(1)
  })

  test('for a custom subnet has no note and sends it', async () => {
    const { asked } = await show({
      [settings]: withDiscovery({ discoverySubnet: '192.0.2.0/28' }),
      [scan]: aReply(),
    })
    await click('Refresh discovery')
    expect(toasts()).toEqual(['info: Refreshing discovery...'])
    expect(asked(scan)[0]!.body).toEqual({ subnet: '192.0.2.0/28' })
  })

  test('is not offered while discovery is off or a scan runs', async () => {
    await show({ [settings]: withDiscovery({ discoveryEnabled: false }) })
    expect(screen.getByRole('button', { name: 'Refresh discovery' }).hasAttribute('disabled')).toBe(true)
    cleanup()
    await show({ [found]: aReply({ scanning: true }) })
    expect(screen.getByRole('button', { name: 'Scanning...' }).hasAttribute('disabled')).toBe(true)
  })
})

describe('[spec 2 §4] a scan as live events tell it', () => {
  const progress = {
    current_phase: 'local_networks',
    phase_number: 1,
    total_phases: 3,
    targets_in_phase: 254,
    processed_in_phase: 127,
    total_targets: 400,
    total_processed: 127,
    servers_found: 1,
    percentage: 32,
  }

  test('shows progress, what is found at once, and the end', async () => {
    const { live } = await show()
    const emit = (event: Parameters<typeof live.events.emit>[0]) => act(async () => live.events.emit(event))
    await emit({ type: 'discovery_started', data: { scanning: true, subnet: 'auto', timestamp: 1 } })
    const bar = () => screen.getByRole('progressbar', { name: 'Discovery scan' })
    expect(bar().getAttribute('aria-valuenow')).toBeNull()
    await emit({ type: 'discovery_progress', data: { progress, timestamp: 2 } })
    expect(bar().getAttribute('aria-valuenow')).toBe('32')
    expect(screen.getByText('Phase 1 of 3 · 127 of 400 addresses · 1 found')).toBeDefined()
    const server = aServer({ hostname: 'pve2', version: '9.0.3', release: '9.0' })
    await emit({ type: 'discovery_server_found', data: { server, phase: 'local_networks', timestamp: 3 } })
    await emit({ type: 'discovery_server_found', data: { server, phase: 'local_networks', timestamp: 3 } })
    expect(servers()).toEqual(['pve2192.0.2.20:8006Version 9.0.3 (9.0)Add'])
    await emit({
      type: 'discovery_update',
      data: { servers: [server, aServer({ ip: '192.0.2.21' })], errors: [], timestamp: 4 },
    })
    await emit({ type: 'discovery_complete', data: { scanning: false, timestamp: 5 } })
    expect(servers()).toHaveLength(2)
    expect(screen.queryByRole('progressbar')).toBeNull()
  })

  test('progress and problems stand below what was found: when they come or go, no row moves under the pointer', async () => {
    const list = () => screen.getByRole('list', { name: 'Discovered servers' })
    const isBelow = (element: Element) =>
      (list().compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
    await show({ [found]: aReply({ scanning: true, servers: [aServer()] }) })
    expect(isBelow(screen.getByText('Scanning the network...'))).toBe(true)
    cleanup()
    await show({ [found]: aReply({ servers: [aServer()], errors: ['error'] }) })
    expect(isBelow(screen.getByText('The last scan had problems'))).toBe(true)
  })

  test('errors are listed, and a timeout in auto mode has a hint', async () => {
    const hint = /Choose a custom subnet under System/
    const errors = [
      'The scan reached its time limit: 9 of 400 addresses were scanned.',
      ...Array.from({ length: 6 }, (_, n) => `error ${n}`),
    ]
    await show({ [found]: aReply({ errors }) })
    expect(screen.getByText('The last scan had problems')).toBeDefined()
    expect(screen.getByText('+2 more')).toBeDefined()
    expect(screen.getByText(hint)).toBeDefined()
    cleanup()
    await show({
      [found]: aReply({ errors }),
      [settings]: withDiscovery({ discoverySubnet: '192.0.2.0/28' }),
    })
    expect(screen.queryByText(hint)).toBeNull()
  })
})

test('a connection that comes back asks what it missed: a scan that ended meanwhile, and the nodes', async () => {
  const { live, asked, replies } = await show({ [found]: aReply({ scanning: true }) })
  expect(screen.getByText('Scanning the network...')).toBeDefined()
  const before = asked(nodes).length
  replies[found] = aReply({ scanning: false })
  await act(async () => live.connection.set({ status: 'reconnecting', initialDataReceived: false }))
  expect(asked(nodes)).toHaveLength(before)
  await act(async () => live.connection.set({ status: 'connected' }))
  await settled()
  expect(screen.queryByText('Scanning the network...')).toBeNull()
  expect(asked(nodes)).toHaveLength(before + 1)
})

test('what the scan leaves out is said, as it was found and as live events tell it', async () => {
  const warning = '10.0.0.0/8 is large: only its first 1024 addresses are scanned.'
  const environment = {
    type: 'native' as const,
    confidence: 1,
    phases: [{ name: 'manual', subnets: ['10.0.0.0/22'], confidence: 1 }],
    warnings: [warning],
    metadata: {},
  }
  await show({ [found]: aReply({ environment }) })
  expect(screen.getByText('Not everything is scanned')).toBeDefined()
  expect(screen.getByText(warning)).toBeDefined()
  cleanup()
  const { live } = await show({ [found]: aReply({ environment: { ...environment, phases: [] } }) })
  expect(screen.queryByText(warning)).toBeNull()
  const other = '203.0.113.0/28 is not a private network and is not scanned.'
  await act(async () =>
    live.events.emit({
      type: 'discovery_update',
      data: { servers: [], errors: [], environment: { ...environment, warnings: [other] }, timestamp: 4 },
    }),
  )
  expect(screen.getByText(other)).toBeDefined()
})

describe('discovered servers', () => {
  const all = [
    aServer({ hostname: 'pve2' }),
    aServer({ ip: '192.0.2.30', port: 8007, type: 'pbs', hostname: 'pbs1' }),
    aServer({ ip: '192.0.2.40', type: 'pmg', hostname: 'pmg1' }),
  ]

  test.each([
    [PveSection, 'pve2', 'https://192.0.2.20:8006'],
    [PbsSection, 'pbs1', 'https://192.0.2.30:8007'],
    [PmgSection, 'pmg1', 'https://192.0.2.40:8006'],
  ] as const)(
    '%#: only those of the section; Add opens the dialog filled in',
    async (Section, name, host) => {
      await show({ [found]: aReply({ servers: all }) }, Section)
      expect(servers()).toHaveLength(1)
      await click(`Add ${name}`)
      expect(inDialog().getByText(host)).toBeDefined()
      if (Section !== PmgSection) fireEvent.click(inDialog().getByRole('radio', { name: 'Manual' }))
      expect(inDialog().getByRole('switch').getAttribute('aria-checked')).toBe('false')
    },
  )

  test('what is monitored already is left out', async () => {
    await show({
      [nodes]: [aNodeConfig({ host: 'https://192.0.2.20:8006' })],
      [found]: aReply({ servers: all, timestamp: Date.UTC(2026, 0, 1, 11, 59) / 1000 }),
    })
    expect(screen.getByText(/^No further/).textContent).toBe(
      'No further Proxmox VE node was found. Last scan 1 minute ago.',
    )
  })

  test.each([
    [found, 'Discovery request failed'],
    [settings, 'Failed to load discovery settings'],
  ])('[spec 2 §8] %s fails: %s', async (call, title) => {
    const { replies } = await show({ [call]: new Answer(500, { error: 'broken' }) })
    expect(screen.getByRole('alert').textContent).toBe(`${title}brokenRetry`)
    replies[call] = call === found ? aReply() : withDiscovery()
    await click('Retry')
    expect(screen.queryByRole('alert')).toBeNull()
  })
})
