import { monitorFlags, type NodeConfig, type SourceKind, type SourceState } from '@pulse/contract'
import { screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { aLive } from '../../../live/fake-live.ts'
import { LiveProvider } from '../../../live/live.tsx'
import { toastQueue } from '../../../ui/toast.ts'
import { renderSettings } from '../fake-settings.tsx'

type Given = Parameters<typeof renderSettings>[1] & { live?: ReturnType<typeof aLive> }

export const aNodeConfig = (over: Partial<NodeConfig> = {}): NodeConfig => ({
  id: 'pve-1',
  type: 'pve',
  name: 'pve1',
  host: 'https://192.0.2.10:8006',
  tokenName: 'pulse-monitor@pam!pulse-token',
  hasToken: true,
  hasPassword: false,
  verifySSL: true,
  ...monitorFlags[over.type ?? 'pve'],
  status: 'connected',
  isCluster: false,
  ...over,
})

export const aNodeWithPassword = (type: SourceKind, over: Partial<NodeConfig> = {}): NodeConfig => {
  const { tokenName: _, ...rest } = aNodeConfig({ type, id: `${type}-1`, name: `${type}1` })
  return { ...rest, hasToken: false, hasPassword: true, user: `mon@${type}`, ...over }
}

/** A live state with these connections. */
export const aLiveWith = (sources: Record<string, Partial<SourceState>>) =>
  aLive({ sources: sourcesOf(sources) })

export const sourcesOf = (sources: Record<string, Partial<SourceState>>): Record<string, SourceState> =>
  Object.fromEntries(
    Object.entries(sources).map(([id, state]) => [
      id,
      { name: id, kind: 'pve', health: 'healthy', ...state },
    ]),
  )

export async function renderWithLive(children: ReactNode, { live = aLive(), ...given }: Given = {}) {
  const view = await renderSettings(<LiveProvider live={live}>{children}</LiveProvider>, given)
  return { ...view, live }
}

/** Toasts shown since the last call, with their duration. */
export function toasts(): string[] {
  const shown: string[] = []
  toastQueue.connect(({ kind, text }) => shown.push(`${kind}: ${text}`))()
  return shown
}

export const inDialog = () => within(screen.getByRole('dialog'))
