import type { DockerCommand, DockerContainer, DockerHost } from '@pulse/contract'
import { aDockerContainer, aDockerHost as aHost } from '@pulse/testkit'
import { fireEvent, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { aLive } from '../../../live/fake-live.ts'
import { LiveProvider } from '../../../live/live.tsx'
import { toastQueue } from '../../../ui/toast.ts'
import { renderSettings, settled } from '../fake-settings.tsx'
import { aRouter } from '../../../ui/router/fake-history.ts'
import { RouterContext } from '../../../ui/router/use-router.ts'

export const aCommand = (over: Partial<DockerCommand> = {}): DockerCommand => ({
  id: 'c1',
  type: 'stop',
  status: 'queued',
  createdAt: 1,
  updatedAt: 1,
  ...over,
})

/** A host with an older agent and a token; its id differs from its name. */
export const aDockerHost = (over: Partial<DockerHost> = {}): DockerHost =>
  aHost({
    id: 'h1',
    hostname: 'web1.example.org',
    displayName: 'web1',
    os: 'Debian GNU/Linux 12',
    dockerVersion: '26.1.0',
    agentVersion: '0.1.0',
    tokenId: 't1',
    tokenName: 'Docker host 1',
    tokenHint: 'ab12cd…ef34',
    source: 'docker-1',
    ...over,
  })

export const aContainer = (over: Partial<DockerContainer> = {}): DockerContainer =>
  aDockerContainer({ host: 'h1', source: 'docker-1', ...over })

/** A host per name, each with its own id, source and token. */
export const someHosts = (names: readonly string[], over: Partial<DockerHost> = {}): DockerHost[] =>
  names.map((name) =>
    aDockerHost({
      id: `id-${name}`,
      source: `docker-${name}`,
      displayName: name,
      hostname: name,
      tokenId: `token-${name}`,
      ...over,
    }),
  )

/** A live state with these hosts, last seen at the given time. */
export function aLiveWith(
  hosts: readonly DockerHost[],
  containers: readonly DockerContainer[] = [],
  lastSeen?: number,
) {
  const bySource = <T,>(value: (host: DockerHost) => T) =>
    Object.fromEntries(hosts.map((host) => [host.source, value(host)]))
  return aLive({
    dockerHosts: bySource((host) => host),
    dockerContainers: Object.fromEntries(containers.map((one) => [`${one.source}:${one.name}`, one])),
    sources: bySource(({ id }) => ({
      name: `docker-${id}`,
      kind: 'docker' as const,
      health: 'healthy' as const,
      ...(lastSeen !== undefined && { lastSeen }),
    })),
  })
}

export const aSetup = (over: object = {}) => ({
  pulseURL: 'https://pulse.example.org',
  agents: [{ platform: 'linux-amd64', bytes: 7 * 1024 ** 2, sha256: 'f'.repeat(64) }],
  removed: [],
  ...over,
})

export const setupCall = 'GET /api/agents/docker/setup'
export const tokensCall = 'GET /api/security/tokens'

type Given = Parameters<typeof renderSettings>[1] & { live?: ReturnType<typeof aLive> }

export async function renderDocker(children: ReactNode, { live = aLive(), replies, ...given }: Given = {}) {
  const view = await renderSettings(
    <RouterContext value={aRouter()}>
      <LiveProvider live={live}>{children}</LiveProvider>
    </RouterContext>,
    { replies: { [setupCall]: aSetup(), [tokensCall]: { tokens: [] }, ...replies }, ...given },
  )
  return { ...view, live }
}

/** Toasts shown since the last call. */
export function toasts(): string[] {
  const shown: string[] = []
  toastQueue.connect(({ kind, text }) => shown.push(`${kind}: ${text}`))()
  return shown
}

export async function click(name: string) {
  fireEvent.click(screen.getByRole('button', { name }))
  await settled()
}

export const inDialog = () => within(screen.getByRole('dialog'))
