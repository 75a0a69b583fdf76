import type { DockerContainer } from '@pulse/contract'
import { aDockerContainer } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { containerFacts, hasMore } from './container-line.ts'

const facts = (change: Partial<DockerContainer> = {}, hostOnline = true) =>
  containerFacts(aDockerContainer(change), hostOnline)

/** A container without any optional field. */
const bare = (change: Partial<DockerContainer> = {}): DockerContainer => {
  const {
    createdAt: _created,
    startedAt: _started,
    ports: _ports,
    networks: _networks,
    ...rest
  } = aDockerContainer({ state: 'running', image: '' })
  return { ...rest, ...change }
}

describe('[spec 1 §2] a row opens only if there is extra information', () => {
  test('none', () => expect(hasMore(bare())).toBe(false))

  test.each<[what: string, change: Partial<DockerContainer>]>([
    ['ports', { ports: [{ privatePort: 80, protocol: 'tcp' }] }],
    ['networks', { networks: [{ name: 'bridge' }] }],
    ['createdAt', { createdAt: 1 }],
    ['image', { image: 'nginx' }],
    ['uptime while running', { startedAt: 1 }],
  ])('%s', (_what, change) => expect(hasMore(bare(change))).toBe(true))

  test('not for empty lists, nor for when one that does not run was started', () => {
    expect(hasMore(bare({ ports: [], networks: [] }))).toBe(false)
    expect(hasMore(bare({ startedAt: 1, state: 'exited' }))).toBe(false)
    expect(hasMore(bare({ labels: { a: 'b' } }))).toBe(false)
  })
})

describe('figures', () => {
  test('[spec 1 §5] CPU and memory percentages are clamped to 0-100', () => {
    expect(facts({ cpuPercent: 240, memoryPercent: 120 })).toMatchObject({
      cpuPercent: 100,
      memoryPercent: 100,
    })
    expect(facts({ cpuPercent: -1 }).cpuPercent).toBe(0)
  })

  test('one that does not run has none, one that is paused holds on to its memory', () => {
    const figures = { cpuPercent: 7, memoryPercent: 5, memoryUsageBytes: 9 }
    expect(facts({ ...figures, state: 'exited' })).toMatchObject({
      cpuPercent: undefined,
      memoryPercent: undefined,
      memoryBytes: undefined,
    })
    expect(facts({ ...figures, state: 'paused' })).toMatchObject({
      cpuPercent: undefined,
      memoryPercent: 5,
      memoryBytes: 9,
    })
  })

  test('a share that is not reported follows from what is', () => {
    const { memoryPercent: _share, ...rest } = aDockerContainer({ memoryUsageBytes: 1, memoryLimitBytes: 4 })
    expect(containerFacts(rest, true).memoryPercent).toBe(25)
    expect(containerFacts({ ...rest, memoryLimitBytes: 0 }, true).memoryPercent).toBeUndefined()
  })
})

test('on a host that does not report all is of before, and the host says since when', () => {
  const staleSince = 1_000
  expect(facts({ staleSince }, false)).toMatchObject({ stale: true, dimmed: true, staleSince: undefined })
  expect(facts({}, false)).toMatchObject({ stale: true, dimmed: true })
  expect(facts({ staleSince })).toMatchObject({ stale: true, dimmed: true, staleSince })
  expect(facts()).toMatchObject({ stale: false, dimmed: false, name: 'web' })
})
