import { type DiscoveredServer, type DiscoveryReply, systemDefaults } from '@pulse/contract'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { aStatus, settled } from '../fake-settings.tsx'
import { renderWithLive, toasts } from './fake-nodes.tsx'
import { PveSection } from './section.tsx'

export const nodes = 'GET /api/config/nodes'
export const settings = 'GET /api/system/settings'
export const saveSettings = 'POST /api/system/settings/update'
export const found = 'GET /api/discover'
export const scan = 'POST /api/discover'

export const aReply = (over: Partial<DiscoveryReply> = {}): DiscoveryReply => ({
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
export const aServer = (over: Partial<DiscoveredServer> = {}): DiscoveredServer => ({
  ip: '192.0.2.20',
  port: 8006,
  type: 'pve',
  version: 'Unknown',
  ...over,
})
export const withDiscovery = (over: object = {}) => ({
  ...systemDefaults,
  discoveryEnabled: true,
  envOverrides: {},
  ...over,
})

export const lost = Promise.reject(new TypeError('Failed to fetch'))
lost.catch(() => 'only the call that is answered with it minds')

export async function show(replies: Record<string, unknown> = {}, Section = PveSection, status = aStatus()) {
  const view = await renderWithLive(<Section />, {
    status,
    replies: { [nodes]: [], [settings]: withDiscovery(), [found]: aReply(), [saveSettings]: {}, ...replies },
  })
  await pass(100)
  return { ...view, asked: (call: string) => view.calls.filter((one) => one.call === call) }
}

export async function pass(ms: number) {
  await act(async () => vi.advanceTimersByTime(ms))
  await settled()
}
export async function click(name: string) {
  fireEvent.click(screen.getByRole('button', { name }))
  await settled()
}
export async function flip() {
  fireEvent.click(toggle())
  await settled()
}
export const toggle = () => screen.getByRole('switch', { name: 'Discovery' })
export const isOn = () => toggle().getAttribute('aria-checked') === 'true'
export const servers = () =>
  within(screen.getByRole('list', { name: 'Discovered servers' }))
    .getAllByRole('listitem')
    .map((item) => item.textContent)

/** A fake clock for each test, and an empty document after it. */
export function freshSection(): void {
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
}
