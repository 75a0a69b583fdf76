import type { DockerContainer } from '@pulse/contract'
import { aDockerContainer } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { memoryShare, sumContainers } from './container-sums.ts'

const given = (...containers: Partial<DockerContainer>[]) =>
  aLive({
    dockerContainers: Object.fromEntries(containers.map((one, at) => [`c${at}`, aDockerContainer(one)])),
  })
const sums = (live: ReturnType<typeof given>, host = 'dock1') => sumContainers(live.store).get(host)?.all

describe('[spec 1 §5] the figures of a host', () => {
  test('its CPU is the sum of its running containers', () => {
    const live = given({ cpuPercent: 12.5 }, { cpuPercent: 7.5 }, { state: 'exited', cpuPercent: 50 })
    expect(sums(live)?.cpuPercent).toBe(20)
  })

  test('capped at 100', () => {
    expect(sums(given({ cpuPercent: 80 }, { cpuPercent: 250 }))?.cpuPercent).toBe(100)
  })

  test('its memory is the sum of what they use over what it has', () => {
    const live = given({ memoryUsageBytes: 300 }, { memoryUsageBytes: 100, state: 'paused' })
    expect(sums(live)?.memoryBytes).toBe(400)
    expect(memoryShare(400, 1600)).toBe(25)
  })

  test('percent denominators are floored at 1, percentages clamped; unknown memory has no share', () => {
    expect(memoryShare(0.25, 0.5)).toBe(25)
    expect(memoryShare(900, 300)).toBe(100)
    expect(memoryShare(900, 0)).toBeUndefined()
  })

  test('what is not reported is not zero', () => {
    expect(sums(given({ cpuPercent: undefined } as never))?.cpuPercent).toBeUndefined()
    expect(sums(given({ state: 'exited' }))?.cpuPercent).toBe(0)
  })
})

test('counts by state', () => {
  const live = given(
    { health: 'unhealthy' },
    { health: 'healthy' },
    { state: 'exited' },
    { state: 'paused' },
    { host: 'dock2' },
  )
  expect(sums(live)).toMatchObject({ total: 4, running: 2, unhealthy: 1, exited: 1 })
  expect(sums(live, 'dock2')).toMatchObject({ total: 1, running: 1 })
})

test('each project of a host is added up too; what belongs to none is one of its own', () => {
  const labels = { 'com.docker.compose.project': 'shop' }
  const live = given({ labels, cpuPercent: 10 }, { labels, cpuPercent: 20 }, { cpuPercent: 3 })
  const { projects } = sumContainers(live.store).get('dock1')!
  expect([...projects].map(([name, { cpuPercent }]) => [name, cpuPercent])).toEqual([
    ['shop', 30],
    ['', 3],
  ])
})

test('follows what comes, changes, moves and goes', () => {
  const live = given({ cpuPercent: 10 }, { cpuPercent: 20 })
  expect(sums(live)?.cpuPercent).toBe(30)
  live.set('dockerContainers', { c0: { cpuPercent: 15 } })
  expect(sums(live)?.cpuPercent).toBe(35)
  live.put({ dockerContainers: { c1: aDockerContainer({ host: 'dock2', cpuPercent: 20 }) } })
  expect([sums(live)?.cpuPercent, sums(live, 'dock2')?.cpuPercent]).toEqual([15, 20])
  live.remove('dockerContainers', 'c0')
  expect([sums(live), sums(live, 'dock2')?.total]).toEqual([undefined, 1])
})

test('a report of one host does not read the containers of another', () => {
  const live = given({ host: 'dock1' }, { host: 'dock2' }, { host: 'dock2' })
  sums(live)
  const read: string[] = []
  const records = live.store.records('dockerContainers')
  const watched = {
    ...live.store,
    records: () =>
      ({
        get: (id: string) => (read.push(id), records.get(id)),
        keys: () => records.keys(),
      }) as never,
  }
  sumContainers(watched)
  read.length = 0
  live.put({ dockerContainers: { c0: aDockerContainer({ cpuPercent: 99 }) } })
  expect(sumContainers(watched).get('dock1')?.all.cpuPercent).toBe(99)
  expect(new Set(read)).toEqual(new Set(['c0']))
})
