import {
  getHistoryStorage,
  getVersion,
  type HistoryStorage,
  systemDefaults,
  type SystemSettings,
} from '@pulse/contract'
import { aBuild } from '../../../parts/updates/fake-build.ts'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { settled } from '../fake-settings.tsx'
import { renderWithLive } from '../nodes/fake-nodes.tsx'
import { SystemEditsProvider } from './system-edits.tsx'
import type { LoadedSettings } from './system-form.ts'

export const loadCall = 'GET /api/system/settings'
export const saveCall = 'POST /api/system/settings/update'
export const historyCall = `GET ${getHistoryStorage.path}`
export const aHistory = (over: Partial<HistoryStorage> = {}): HistoryStorage => ({
  fileBytes: 60 * 1024 ** 2,
  oldest: Date.UTC(2026, 8, 1, 12),
  tiers: [
    { tier: 'raw', bytes: 24 * 1024 ** 2, bytesPerDay: 24 * 1024 ** 2 },
    { tier: 'minute', bytes: 28 * 1024 ** 2, bytesPerDay: 2 * 1024 ** 2 },
  ],
  ...over,
})
const versionCall = `GET ${getVersion.path}`

export const someSettings = (
  over: Partial<SystemSettings> = {},
  envOverrides: Record<string, boolean> = {},
): LoadedSettings => ({ ...systemDefaults, ...over, envOverrides })

const noServers = { servers: [], errors: [], structured_errors: [], environment: null, cached: true }

export const repliesOf = (settings: LoadedSettings, more: Record<string, unknown> = {}) => ({
  [loadCall]: settings,
  [saveCall]: { success: true },
  [versionCall]: aBuild(),
  [historyCall]: aHistory(),
  'GET /api/discover': { ...noServers, scanning: false, updated: 0, timestamp: 0 },
  ...more,
})

/** Renders a panel or the section, with a server that has these settings. */
export async function renderSystem(
  children: ReactNode,
  { settings = someSettings(), replies = {}, ...given }: Given = {},
) {
  const view = await renderWithLive(<SystemEditsProvider>{children}</SystemEditsProvider>, {
    replies: repliesOf(settings, replies),
    ...given,
  })
  await settled()
  // the discovery switch loads the settings slightly later
  const loaded = () => {
    if (!view.calls.some(({ call }) => call === 'GET /api/discover'))
      throw new Error('discovery is not asked for')
  }
  if (screen.queryByRole('switch', { name: 'Discovery' })) await waitFor(loaded)
  await settled()
  return { ...view, sent: () => view.calls.filter(({ call }) => call === saveCall).map(({ body }) => body) }
}

type Given = Omit<NonNullable<Parameters<typeof renderWithLive>[1]>, 'replies'> & {
  settings?: LoadedSettings
  replies?: Record<string, unknown>
}

export const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
export const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } })

export async function flip(label: string) {
  await act(async () => void fireEvent.click(screen.getByRole('switch', { name: label })))
  await settled()
}

/** Options of a select, or the value of one. */
export async function optionsOf(label: string): Promise<(string | null)[]> {
  await act(async () => void fireEvent.click(screen.getByRole('combobox', { name: label })))
  return screen.getAllByRole('option').map(({ textContent }) => textContent)
}
export async function choose(label: string, option: string) {
  await optionsOf(label)
  const found = screen.getByRole('option', { name: option })
  await act(async () => {
    fireEvent.pointerDown(found)
    fireEvent.click(found)
  })
}
export const chosen = (label: string) => screen.getByRole('combobox', { name: label }).textContent
