import { describe, expect, test } from 'vitest'
import { aDockerContainer } from '@pulse/testkit'
import { startOf, clockAhead, sumContainers, toContainers } from './map.ts'
import type { ReadContainer } from './read-report.ts'

const NOW = Date.UTC(2026, 0, 1, 12)
const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('[R20] the clock of a host', () => {
  test.each([
    ['within a minute is right', NOW + 59_999, 0, 0],
    ['ahead by a day', NOW + 24 * HOUR, 0, 24 * 60],
    ['behind by a day', NOW - 24 * HOUR, 0, -24 * 60],
    ['a little beside what it was: as before', NOW + 10 * MINUTE + 40_000, 10, 10],
    ['corrected: as it is now', NOW, 10, 0],
    ['not reported', undefined, 10, 0],
  ])('%s', (_how, sentAt, before, ahead) => {
    expect(clockAhead({ sentAt }, before, NOW)).toBe(ahead)
  })

  const container: ReadContainer = {
    id: 'a',
    name: 'web',
    image: '',
    state: 'running',
    status: '',
    restartCount: 0,
    exitCode: 0,
  }
  const read = (change: Partial<ReadContainer>, clockAheadMinutes = 0, before = new Map()) =>
    [
      ...toContainers(
        { containers: new Map([['web', { ...container, ...change }]]) },
        { key: 'docker-1', id: 'h', clockAheadMinutes, containers: before },
        NOW,
      ),
    ][0]!

  test('is converted to the server’s clock, never into the future', () => {
    const [id, record] = read({ startedAt: NOW + 23 * HOUR, createdAt: NOW + 25 * HOUR }, 24 * 60)
    expect(id).toBe('docker-1:web')
    expect(record).toMatchObject({ startedAt: NOW - HOUR, createdAt: NOW, host: 'h', source: 'docker-1' })
  })

  test('a running container has no end', () => {
    expect(read({ finishedAt: NOW - HOUR })[1]).not.toHaveProperty('finishedAt')
    expect(read({ finishedAt: NOW - HOUR, state: 'exited' })[1]).toMatchObject({ finishedAt: NOW - HOUR })
  })

  test('without a date the start follows from the uptime, and stays within the jitter', () => {
    const [id, first] = read({ uptimeSeconds: 100 })
    expect(first.startedAt).toBe(NOW - 100_000)
    expect(read({ uptimeSeconds: 105 }, 0, new Map([[id, first]]))[1].startedAt).toBe(first.startedAt)
  })
})

test('[facts/collection 3.1] the start of a host follows from its uptime', () => {
  expect(startOf(60, undefined, NOW)).toBe(NOW - MINUTE)
  expect(startOf(61, NOW - MINUTE, NOW)).toBe(NOW - MINUTE)
  expect(startOf(10, NOW - MINUTE, NOW)).toBe(NOW - 10_000)
  expect(startOf(undefined, NOW - MINUTE, NOW)).toBeUndefined()
})

describe('[spec 1 §5] the figures of a host', () => {
  const sums = (...containers: Parameters<typeof aDockerContainer>[0][]) =>
    sumContainers(new Map(containers.map((one, at) => [`c${at}`, aDockerContainer(one)])))

  test('are sums over its containers; CPU is that of running ones, at most 100', () => {
    expect(
      sums(
        { cpuPercent: 30, memoryUsageBytes: 100 },
        { cpuPercent: 25, memoryUsageBytes: 50 },
        { cpuPercent: 40, memoryUsageBytes: 1, state: 'exited' },
      ),
    ).toEqual({ cpuPercent: 55, usedMemoryBytes: 151, runningContainers: 2 })
    expect(sums({ cpuPercent: 80 }, { cpuPercent: 90 }).cpuPercent).toBe(100)
  })

  test('are zero while none runs, and unknown until a container is reported', () => {
    expect(sums({ state: 'exited', memoryUsageBytes: 0 })).toEqual({
      cpuPercent: 0,
      usedMemoryBytes: 0,
      runningContainers: 0,
    })
    expect(sums()).toEqual({})
    const { cpuPercent: _, ...unread } = aDockerContainer()
    expect(sumContainers(new Map([['c1', unread]]))).not.toHaveProperty('cpuPercent')
  })
})
