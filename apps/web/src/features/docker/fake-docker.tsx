import type { DockerContainer, DockerHost, SourceState } from '@pulse/contract'
import { aDockerContainer, aDockerHost } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import type { Connection } from '../../live/connection.ts'
import { aLive } from '../../live/fake-live.ts'
import { renderInApp } from '../../parts/fake-app.tsx'
import { openContainers } from './container-name.tsx'
import { DockerPage } from './page.tsx'

type Given = Parameters<typeof aLive>[0]

/** Two hosts with three containers, and a hidden host with a fourth. */
export const estate = {
  dockerHosts: {
    dock1: aDockerHost(),
    dock2: aDockerHost({ id: 'dock2', displayName: 'Cellar' }),
    dock3: aDockerHost({ id: 'dock3', hidden: true }),
  },
  dockerContainers: {
    c1: aDockerContainer({ name: 'web', labels: { 'com.docker.compose.project': 'shop', tier: 'front' } }),
    c2: aDockerContainer({ name: 'db', image: 'postgres:17', state: 'exited', exitCode: 137 }),
    c3: aDockerContainer({ name: 'cache', image: 'redis:8', host: 'dock2', health: 'unhealthy' }),
    c4: aDockerContainer({ name: 'secret', host: 'dock3' }),
  },
} satisfies Given

export const onDock1 = (host: Partial<DockerHost>, ...containers: Partial<DockerContainer>[]): Given => ({
  dockerHosts: { dock1: aDockerHost(host) },
  dockerContainers: Object.fromEntries(containers.map((one, at) => [`c${at}`, aDockerContainer(one)])),
})

export const reported = (lastSeen: number, change: Partial<SourceState> = {}): SourceState => ({
  name: 'docker-dock1',
  kind: 'docker',
  health: 'healthy',
  lastSeen,
  ...change,
})

/** Renders the page over these records. */
export async function given(records: Given = estate, connection: Partial<Connection> = {}) {
  const live = aLive(records, connection)
  await renderInApp(<DockerPage />, { live })
  return live
}

/** Gives each test in the file an unused browser. */
/** Frozen, so that ages do not depend on a test's duration. */
export const now = Date.UTC(2026, 0, 10, 12)

export function inFreshBrowsers() {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(now)
    localStorage.clear()
    vi.stubGlobal('scrollTo', () => {})
    // happy-dom has no layout: scrolling elements get the size of the window
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockImplementation(() => window.innerWidth)
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockImplementation(() => window.innerHeight)
  })
  afterEach(() => {
    cleanup()
    act(openContainers.collapseAll)
    vi.useRealTimers()
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
}

export const row = (key: string) => document.querySelector<HTMLElement>(`[data-row="${key}"]`)!
export const cells = (key: string) =>
  within(row(key))
    .getAllByRole('gridcell')
    .map((cell) => cell.textContent)
export const rows = () =>
  [...screen.getByLabelText('Containers').querySelectorAll<HTMLElement>('[data-row]')].map((one) =>
    one.dataset['row']!.replace('\0', '/'),
  )
export const hosts = () => within(screen.getByRole('region', { name: 'Hosts' })).getAllByRole('button')
export const host = (name: string) => hosts().find(({ textContent }) => textContent.includes(name))!
export const choose = (name: string) => fireEvent.click(screen.getByRole('radio', { name }))
export const search = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Search containers' })
export const type = (value: string) => act(async () => void fireEvent.change(search(), { target: { value } }))
export const press = (key: string, target: Element = document.body) =>
  act(() => void fireEvent.keyDown(target, { key }))
const onScreen = (matches: (query: string) => boolean) =>
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: matches(query),
    addEventListener() {},
    removeEventListener() {},
  }))
export const onPhone = () => onScreen((query) => query.startsWith('(width <'))
export const onWideScreen = () => onScreen((query) => query.startsWith('(width >='))
