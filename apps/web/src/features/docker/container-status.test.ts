import { aDockerContainer } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { containerStatus, healthOf, markOf, statusRank } from './container-status.ts'

test.each([
  ['running', undefined, 'Running', 'green', 'running'],
  ['running', 'healthy', 'Running', 'green', 'running'],
  ['running', 'none', 'Running', 'green', 'running'],
  ['running', 'starting', 'Running', 'yellow', 'running'],
  ['running', 'unhealthy', 'Running', 'red', 'unhealthy'],
  ['paused', undefined, 'Paused', 'yellow', 'other'],
  ['restarting', undefined, 'Restarting', 'yellow', 'other'],
  ['created', undefined, 'Created', 'yellow', 'other'],
  ['', undefined, 'Unknown', 'yellow', 'other'],
] as const)(
  '[spec 1 §4] %s with health %s reads %s, is %s and counts as %s',
  (state, health, ...expected) => {
    const container = aDockerContainer({ state, ...(health && { health }) })
    const { word, worst } = containerStatus(container)
    expect([word, worst, markOf(container)]).toEqual(expected)
  },
)

test('[spec 1 §4] exited is red, and says with which code', () => {
  const container = aDockerContainer({ state: 'exited', exitCode: 137 })
  expect(containerStatus(container)).toEqual({
    word: 'Exited (137)',
    tone: 'red',
    health: undefined,
    worst: 'red',
  })
  expect(markOf(container)).toBe('exited')
})

test('of a container that does not run its last health says nothing', () => {
  expect(healthOf(aDockerContainer({ state: 'exited', health: 'unhealthy' }))).toBeUndefined()
})

test('what is worst comes first', () => {
  const rank = (state: string, health?: string) =>
    statusRank(aDockerContainer({ state, ...(health && { health }) }))
  expect(rank('exited')).toBeLessThan(rank('paused'))
  expect(rank('paused')).toBeLessThan(rank('running', 'healthy'))
  expect(rank('running', 'unhealthy')).toBe(rank('exited'))
})
