// @vitest-environment happy-dom
import type { DockerContainer } from '@pulse/contract'
import { aDockerContainer, aDockerHost, anAlert } from '@pulse/testkit'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { given, hosts, inFreshBrowsers, onPhone } from './fake-docker.tsx'

inFreshBrowsers()

const estate = (changes: Record<string, Parameters<typeof aDockerHost>[0]>) => ({
  dockerHosts: Object.fromEntries(
    Object.entries(changes).map(([id, change]) => [
      id,
      aDockerHost({ id, hostname: id, displayName: id, ...change }),
    ]),
  ),
  dockerContainers: Object.fromEntries(
    Object.keys(changes).map((id) => [`${id}:web`, aDockerContainer({ host: id, cpuPercent: 5 })]),
  ),
})
const six = { dock1: {}, dock2: {}, dock3: {}, dock4: {}, dock5: {}, dock6: {} }
const texts = () => hosts().map(({ textContent }) => textContent)

describe('hosts on a phone', () => {
  test('stand one below the other, each in a line with its load and how many run', async () => {
    onPhone()
    await given(estate({ dock1: {}, dock2: {} }))
    const list = within(screen.getByRole('region', { name: 'Hosts' })).getByRole('list')
    expect([list.style.height, list.style.width]).toEqual(['5.5rem', ''])
    expect(texts()).toEqual([
      expect.stringMatching(/^dock1OnlineCPU 5\.0%Mem .*running 1\/1$/),
      expect.stringMatching(/^dock2OnlineCPU 5\.0%Mem .*running 1\/1$/),
    ])
  })

  test('those that are well are folded beyond three, and shown when asked for', async () => {
    onPhone()
    await given(estate(six))
    expect(texts().map((text) => text.slice(0, 5))).toEqual(['dock1', 'dock2', 'dock3', '3 mor'])
    fireEvent.click(screen.getByRole('button', { name: '3 more, all healthy' }))
    expect(hosts()).toHaveLength(7)
    fireEvent.click(screen.getByRole('button', { name: 'Show fewer hosts' }))
    expect(hosts()).toHaveLength(4)
  })

  test('one that is offline, in conflict or has an alert is never folded', async () => {
    onPhone()
    const conflict = { hostname: 'clone', since: 1, lastAt: 2 }
    await given({
      ...estate({ ...six, dock4: { status: 'offline' }, dock5: { conflict } }),
      activeAlerts: { a: anAlert({ resourceId: 'docker:dock6' }) },
    })
    expect(texts().map((text) => text.slice(0, 5))).toEqual(['dock5', 'dock6', 'dock4', '3 mor'])
  })

  test.each<[what: string, container: Partial<DockerContainer>]>([
    ['is unhealthy', { health: 'unhealthy' }],
    ['exited with an error', { state: 'exited', exitCode: 1 }],
    ['was killed: out of memory', { state: 'exited', exitCode: 137, oomKilled: true }],
    ['keeps restarting', { state: 'restarting' }],
    ['is dead', { state: 'dead' }],
  ])('one with a container that %s is never folded', async (_, container) => {
    onPhone()
    const { dockerHosts, dockerContainers } = estate(six)
    const live = await given({
      dockerHosts,
      dockerContainers: { ...dockerContainers, bad: aDockerContainer({ host: 'dock6', ...container }) },
    })
    expect(texts().map((text) => text.slice(0, 5))).toEqual(['dock1', 'dock2', 'dock6', '3 mor'])
    act(() => live.put({ dockerContainers: { bad: aDockerContainer({ host: 'dock5', ...container }) } }))
    expect(texts().map((text) => text.slice(0, 5))).toEqual(['dock1', 'dock2', 'dock5', '3 mor'])
  })

  test('one with an alert of one of its containers is never folded; acknowledged it is', async () => {
    onPhone()
    const alert = anAlert({ resourceId: 'docker:dock6/4f2' })
    const live = await given({ ...estate(six), activeAlerts: { a: alert } })
    expect(texts().map((text) => text.slice(0, 5))).toEqual(['dock1', 'dock2', 'dock6', '3 mor'])
    act(() => live.put({ activeAlerts: { a: { ...alert, acknowledged: true } } }))
    expect(texts().map((text) => text.slice(0, 5))).toEqual(['dock1', 'dock2', 'dock3', '3 mor'])
  })

  test.each<[what: string, container: Partial<DockerContainer>]>([
    ['did its work', { state: 'exited', exitCode: 0 }],
    ['was stopped', { state: 'exited', exitCode: 143 }],
    ['did not listen and was stopped', { state: 'exited', exitCode: 137, oomKilled: false }],
    ['has been created', { state: 'created' }],
    ['was paused', { state: 'paused' }],
  ])('a container that %s is no trouble of its host', async (_, container) => {
    onPhone()
    const { dockerHosts, dockerContainers } = estate(six)
    await given({
      dockerHosts,
      dockerContainers: { ...dockerContainers, off: aDockerContainer({ host: 'dock6', ...container }) },
    })
    expect(texts().map((text) => text.slice(0, 5))).toEqual(['dock1', 'dock2', 'dock3', '3 mor'])
  })

  test('how many lines they took is remembered for the next start', async () => {
    onPhone()
    await given(estate(six))
    expect(localStorage.getItem('dockerHostLinesSeen')).toBe('4')
  })
})
