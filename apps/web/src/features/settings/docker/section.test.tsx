// @vitest-environment happy-dom
import type { DockerContainer, DockerHost } from '@pulse/contract'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aLive } from '../../../live/fake-live.ts'
import { toastQueue } from '../../../ui/toast.ts'
import { Answer, aStatus, settled, viewer } from '../fake-settings.tsx'
import {
  aCommand,
  aContainer,
  aDockerHost,
  aLiveWith,
  aSetup,
  click,
  renderDocker,
  setupCall,
  someHosts,
  toasts,
} from './fake-docker.tsx'
import DockerSection from './section.tsx'

const now = Date.UTC(2026, 0, 2, 10)

const show = (
  hosts: readonly DockerHost[],
  { containers = [], replies = {} }: { containers?: DockerContainer[]; replies?: object } = {},
) =>
  renderDocker(<DockerSection />, {
    live: aLiveWith(hosts, containers, now - 65_000),
    replies: replies as Record<string, unknown>,
  })

const table = () => within(screen.getByRole('table', { name: 'Docker hosts' }))
const row = (index = 0) => within(table().getAllByRole('row')[index + 1]!)
const cells = (index = 0) =>
  row(index)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent)
const names = () =>
  table()
    .getAllByRole('row')
    .slice(1)
    .map((one) => within(one).getAllByRole('cell')[0]!.querySelector('.font-medium')!.textContent)

beforeEach(() => {
  toasts()
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(now)
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('[spec 2 §6] others than administrators read why there is nothing, and nothing is asked for', async () => {
  const { calls } = await renderDocker(<DockerSection />, { status: aStatus({ user: viewer }) })
  expect(screen.getByText('You need administrator access to manage Docker hosts.')).toBeDefined()
  expect(screen.queryByRole('button')).toBeNull()
  expect(calls).toEqual([])
})

describe('[spec 2 §2] the host list', () => {
  test('shows name, status, system, containers, versions, interval, last seen and token', async () => {
    const containers = [
      aContainer({ name: 'a' }),
      aContainer({ name: 'b', state: 'exited' }),
      aContainer({ name: 'c' }),
    ]
    await show([aDockerHost()], { containers })
    const [host, status, count, docker, agent, seen, token] = cells()
    expect([host, status, count]).toEqual([
      'web1web1.example.orgDebian GNU/Linux 12 · x86_64',
      'online',
      '3 (2 running)',
    ])
    expect([docker, agent]).toEqual(['26.1.0', '0.1.0 every 30 s'])
    expect(seen).toMatch(/^1 minute ago.*2026/)
    expect(token).toBe('Docker host 1 ab12cd…ef34')
  })

  test('says what is not known', async () => {
    const { os: _o, architecture: _a, dockerVersion: _d, agentVersion: _v, ...rest } = aDockerHost()
    const { tokenId: _t, ...host } = rest
    await renderDocker(<DockerSection />, { live: aLiveWith([host]) })
    const [name, , count, docker, agent, seen, token] = cells()
    expect([name, count]).toEqual(['web1web1.example.org', '0 (0 running)'])
    expect([docker, agent, seen, token]).toEqual(['—', '— every 30 s', 'Never', '—'])
  })

  test('calls Podman by its name', async () => {
    await show([aDockerHost({ engine: 'podman', dockerVersion: '4.3.1' })])
    expect(cells()[3]).toBe('Podman 4.3.1')
  })

  test('shows a second machine under the same identity, a wrong clock, and truncated reports', async () => {
    await show([
      aDockerHost({
        conflict: { hostname: 'clone', since: 1, lastAt: 2 },
        clockAheadMinutes: 7,
        cut: ['containers', 'labels'],
      }),
      ...someHosts(['late'], { clockAheadMinutes: -3 }),
    ])
    expect(row(0).getByText('Its clock is 3 min behind')).toBeDefined()
    expect(row(1).getByText('Another machine, clone, reports under the same identity')).toBeDefined()
    expect(row(1).getByText('Its clock is 7 min ahead')).toBeDefined()
    expect(row(1).getByText('Its reports exceed the limit. Incomplete: containers, labels')).toBeDefined()
  })

  test('follows the live state', async () => {
    const { live } = await show([aDockerHost()])
    act(() => live.set('dockerHosts', { 'docker-1': { status: 'offline' } }))
    expect(cells()[1]).toBe('offline')
    act(() => live.put({ dockerContainers: { 'docker-1:a': aContainer({ name: 'a' }) } }))
    expect(cells()[2]).toBe('1 (1 running)')
  })

  test('that is long is shown in pages, and can be filtered', async () => {
    await show(someHosts(Array.from({ length: 120 }, (_, index) => `host${index}`)))
    const rows = () => document.querySelectorAll('tbody > tr').length
    expect(rows()).toBe(100)
    fireEvent.click(screen.getByText('Show 20 more of 20'))
    expect(rows()).toBe(120)
    const filter = screen.getByRole('searchbox', { name: 'Filter hosts' })
    fireEvent.change(filter, { target: { value: ' HOST77 ' } })
    expect(names()).toEqual(['host77'])
    fireEvent.change(filter, { target: { value: 'nothing' } })
    expect(screen.getByRole('heading', { name: 'No host matches' })).toBeDefined()
  })

  test('[spec 2 §9] says that about two minutes without a report make a host offline', async () => {
    await show([aDockerHost()])
    expect(
      screen.getByText('A host is offline when it has not reported for about two minutes.'),
    ).toBeDefined()
  })

  test('that is empty says what to do', async () => {
    await show([])
    expect(screen.getByRole('heading', { name: 'No Docker hosts yet' })).toBeDefined()
  })

  test('waits for the live state', async () => {
    await renderDocker(<DockerSection />, { live: aLive({}, { initialDataReceived: false }) })
    expect(screen.getByRole('status', { name: 'Loading Docker hosts' })).toBeDefined()
  })

  test('[design 10] below 640 px each host takes two lines and its buttons', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
    await show([aDockerHost()])
    const item = screen.getByRole('list', { name: 'Docker hosts' }).querySelector('li')!
    expect(item.textContent).toMatch(
      /Debian GNU\/Linux 12 · x86_64 · 0 containers \(0 running\) · Docker 26\.1\.0 · agent 0\.1\.0 every 30 s · seen 1 minute ago.*2026/,
    )
  })
})

describe('[spec 2 §2] the badge', () => {
  test.each<{ host: Partial<DockerHost>; status: string }>([
    { host: { command: aCommand({ status: 'queued' }) }, status: 'onlineStopping' },
    { host: { command: aCommand({ status: 'acknowledged' }) }, status: 'onlineStopping' },
    { host: { pendingUninstall: true }, status: 'onlineStopping' },
    { host: { command: aCommand({ status: 'completed' }) }, status: 'onlineStopped' },
    {
      host: { command: aCommand({ status: 'failed', failureReason: 'no systemd' }) },
      status: 'onlineFailedno systemd',
    },
    {
      host: { command: aCommand({ status: 'expired' }) },
      status: 'onlineFailedPulse could not stop the agent automatically.',
    },
  ])('of $host is $status', async ({ host, status }) => {
    await show([aDockerHost(host)])
    expect(cells()[1]).toBe(status)
  })
})

describe('[spec 2 §2] the action', () => {
  test.each<{ host: Partial<DockerHost>; name: string }>([
    { host: {}, name: 'Remove web1' },
    { host: { status: 'offline' }, name: 'Remove offline host web1' },
    { host: { status: 'offline', pendingUninstall: true }, name: 'Clean up pending host web1' },
    { host: { command: aCommand({ status: 'failed' }) }, name: 'Force remove web1' },
  ])('of $host is $name', async ({ host, name }) => {
    await show([aDockerHost(host)])
    await click(name)
    expect(screen.getByRole('dialog', { name: 'Remove Docker host' }).textContent).toContain('web1')
  })
})

describe('[spec 2 §4] hidden hosts', () => {
  const hosts = [
    ...someHosts(['db', 'web']),
    ...someHosts(['old', 'spare'], { hidden: true, status: 'offline' }),
  ]
  const toggle = () => screen.queryByRole('switch', { name: 'Show hidden hosts (2)' })

  test('are left out until they are requested', async () => {
    await show(hosts)
    expect(names()).toEqual(['db', 'web'])
    fireEvent.click(toggle()!)
    expect(names()).toEqual(['db', 'old', 'spare', 'web'])
    expect(cells(1)[1]).toBe('offlineHidden')
  })

  test('have no switch where there are none', async () => {
    await show(someHosts(['db']))
    expect(screen.queryByRole('switch')).toBeNull()
  })

  test('are named when there are no others', async () => {
    await show(someHosts(['old', 'spare'], { hidden: true }))
    expect(screen.getByRole('heading', { name: 'Every host is hidden' })).toBeDefined()
    expect(toggle()).not.toBeNull()
  })
})

describe('[spec 2 §8] hiding and unhiding', () => {
  const hide = 'DELETE /api/agents/docker/hosts/h1'
  const unhide = 'PUT /api/agents/docker/hosts/h1/unhide'
  const answer = { success: true, hostId: 'h1' }

  test('a host is hidden', async () => {
    const { calls } = await show([aDockerHost()], { replies: { [hide]: answer } })
    await click('Hide web1')
    expect(calls.at(-1)).toMatchObject({ call: hide, search: '?hide=true' })
    expect(toasts()).toEqual(['success: Hidden Docker host web1'])
  })

  test('a hidden host is shown again', async () => {
    const { calls } = await show([aDockerHost({ hidden: true })], { replies: { [unhide]: answer } })
    fireEvent.click(screen.getByRole('switch'))
    await click('Unhide web1')
    expect(calls.at(-1)!.call).toBe(unhide)
    expect(toasts()).toEqual(['success: Unhidden Docker host web1'])
  })

  test('[spec 2 §9] messages stay 3.5 s, a failure 8 s', async () => {
    const times: number[] = []
    const stop = toastQueue.connect(({ durationMs }) => void times.push(durationMs))
    const { replies } = await show([aDockerHost()], { replies: { [hide]: answer } })
    await click('Hide web1')
    replies[hide] = new Answer(500)
    await click('Hide web1')
    stop()
    expect(times).toEqual([3_500, 8_000])
  })

  test.each([
    { reply: new Answer(500, { error: 'disk full' }), text: 'disk full' },
    { reply: new Answer(503, 'busy'), text: 'busy' },
    { reply: new Answer(500), text: 'Failed with status 500' },
  ])('a failure says so: $text', async ({ reply, text }) => {
    await show([aDockerHost()], { replies: { [hide]: reply } })
    await click('Hide web1')
    expect(toasts()).toEqual([`error: Failed to hide Docker host: ${text}`])
    cleanup()
    await show([aDockerHost({ hidden: true })], { replies: { [unhide]: reply } })
    fireEvent.click(screen.getByRole('switch'))
    await click('Unhide web1')
    expect(toasts()).toEqual([`error: Failed to unhide Docker host: ${text}`])
  })
})

test('[spec 2 §2] a token that several hosts share is listed with up to two of the others', async () => {
  await show(someHosts(['a', 'b', 'c', 'd'], { tokenId: 'same' }))
  expect(row(0).getByText('Shared with b, c, +1 more')).toBeDefined()
  expect(row(3).getByText('Shared with a, b, +1 more')).toBeDefined()
})

describe('removed hosts', () => {
  const removed = [{ hostId: 'h9', name: 'gone', removedAt: now - 3_600_000, blockedUntil: now + 82_800_000 }]
  const allow = 'POST /api/agents/docker/hosts/h9/allow-reenroll'

  test('are listed while their agents are refused, and may be let in again', async () => {
    const replies: Record<string, unknown> = {
      [setupCall]: aSetup({ removed }),
      [allow]: { success: true, hostId: 'h9' },
    }
    const view = await show([], { replies })
    const panel = within(screen.getByRole('region', { name: 'Removed hosts' }))
    expect(panel.getByText(/A running agent retries every hour/)).toBeDefined()
    expect(panel.getByRole('cell', { name: '1 hour ago' })).toBeDefined()
    view.replies[setupCall] = aSetup()
    await click('Allow gone again')
    expect(toasts()).toEqual(['success: gone may report again'])
    expect(screen.queryByRole('region', { name: 'Removed hosts' })).toBeNull()
  })

  test('that went while the page was open are asked for', async () => {
    const { live, replies } = await show([aDockerHost()])
    replies[setupCall] = aSetup({ removed })
    act(() => live.remove('dockerHosts', 'docker-1'))
    await settled()
    expect(screen.getByRole('region', { name: 'Removed hosts' })).toBeDefined()
  })
})
