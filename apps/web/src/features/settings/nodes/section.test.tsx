// @vitest-environment happy-dom
import { type DiscoveredServer, type DiscoveryReply, systemDefaults } from '@pulse/contract'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Answer, aStatus, settled, viewer } from '../fake-settings.tsx'
import { aNodeConfig, inDialog, renderWithLive, toasts } from './fake-nodes.tsx'
import { PbsSection, PmgSection, PveSection } from './section.tsx'

const nodes = 'GET /api/config/nodes'
const settings = 'GET /api/system/settings'
const saveSettings = 'POST /api/system/settings/update'
const found = 'GET /api/discover'
const scan = 'POST /api/discover'

const aReply = (over: Partial<DiscoveryReply> = {}): DiscoveryReply => ({
  servers: [],
  errors: [],
  structured_errors: [],
  environment: null,
  cached: true,
  scanning: false,
  updated: 0,
  timestamp: 0,
  ...over,
})
const aServer = (over: Partial<DiscoveredServer> = {}): DiscoveredServer => ({
  ip: '192.0.2.20',
  port: 8006,
  type: 'pve',
  version: 'Unknown',
  ...over,
})
const withDiscovery = (over: object = {}) => ({
  ...systemDefaults,
  discoveryEnabled: true,
  envOverrides: {},
  ...over,
})

const lost = Promise.reject(new TypeError('Failed to fetch'))
lost.catch(() => 'only the call that is answered with it minds')

async function show(replies: Record<string, unknown> = {}, Section = PveSection, status = aStatus()) {
  const view = await renderWithLive(<Section />, {
    status,
    replies: { [nodes]: [], [settings]: withDiscovery(), [found]: aReply(), [saveSettings]: {}, ...replies },
  })
  await pass(100)
  return { ...view, asked: (call: string) => view.calls.filter((one) => one.call === call) }
}

async function pass(ms: number) {
  await act(async () => vi.advanceTimersByTime(ms))
  await settled()
}
async function click(name: string) {
  fireEvent.click(screen.getByRole('button', { name }))
  await settled()
}
async function flip() {
  fireEvent.click(toggle())
  await settled()
}
const toggle = () => screen.getByRole('switch', { name: 'Discovery' })
const isOn = () => toggle().getAttribute('aria-checked') === 'true'
const servers = () =>
  within(screen.getByRole('list', { name: 'Discovered servers' }))
    .getAllByRole('listitem')
    .map((item) => item.textContent)

beforeEach(() => {
  toasts()
  // also advances in real time, because Testing Library waits with timers
  vi.useFakeTimers({
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    shouldAdvanceTime: true,
  })
  vi.setSystemTime('2026-01-01T12:00:00Z')
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('[spec 2 §6] a viewer sees that administrator access is needed, and nothing is asked for', async () => {
  for (const Section of [PveSection, PbsSection, PmgSection]) {
    const { calls } = await show({}, Section, aStatus({ user: viewer }))
    expect(
      screen.getByText('You need administrator access to see and change what is monitored.'),
    ).toBeDefined()
    expect(calls).toEqual([])
    cleanup()
  }
})

describe('[spec 2 §4] the list of nodes', () => {
  test('is loaded first, settings and discovery after it', async () => {
    const { calls } = await show()
    expect(calls.map(({ call }) => call)).toEqual([nodes, settings, found])
  })

  test('with Proxmox VE nodes in it brings their temperatures along', async () => {
    const temperatures = 'GET /api/temperature/nodes'
    const replies = { [nodes]: [aNodeConfig()], [temperatures]: { nodes: [] } }
    await show(replies)
    expect(screen.getByRole('heading', { name: 'Temperature helper' })).toBeDefined()
    cleanup()
    await show(replies, PbsSection)
    expect(screen.queryByRole('heading', { name: 'Temperature helper' })).toBeNull()
  })

  test('is refreshed every 30 s', async () => {
    const { asked } = await show()
    await pass(28_000)
    expect(asked(nodes)).toHaveLength(1)
    await pass(2_000)
    expect(asked(nodes)).toHaveLength(2)
  })

  test('is refreshed every 3 s while the dialog is open', async () => {
    const { asked } = await show()
    await click('Add node')
    await pass(3_000)
    expect(asked(nodes)).toHaveLength(2)
    await pass(3_000)
    expect(asked(nodes)).toHaveLength(3)
    fireEvent.click(inDialog().getByRole('button', { name: 'Cancel' }))
    await pass(6_000)
    expect(asked(nodes)).toHaveLength(3)
  })

  test.each([
    ['a 429', new Answer(429, { error: 'Too many requests' })],
    ['a fetch error', lost],
  ])('is loaded again 3 s after %s', async (_what, failure) => {
    const { asked, replies } = await show({ [nodes]: failure })
    expect(screen.getByRole('alert').textContent).toContain('Failed to load nodes')
    replies[nodes] = [aNodeConfig()]
    await pass(2_000)
    expect(asked(nodes)).toHaveLength(1)
    await pass(1_000)
    expect(screen.getByRole('article', { name: 'pve1' })).toBeDefined()
  })

  test('is not asked for in haste after another failure', async () => {
    const { asked } = await show({ [nodes]: new Answer(500, { error: 'broken' }) })
    await pass(20_000)
    expect(asked(nodes)).toHaveLength(1)
  })

  test.each([
    { type: 'node_auto_registered', data: { type: 'pve', host: 'https://a:8006' } },
    { type: 'nodes_changed', data: {} },
    { type: 'node_deleted', data: { nodeType: 'pve' } },
  ] as const)('is loaded again on $type', async (event) => {
    const { asked, live } = await show()
    act(() => live.events.emit(event))
    await settled()
    expect(asked(nodes)).toHaveLength(2)
  })
})

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
