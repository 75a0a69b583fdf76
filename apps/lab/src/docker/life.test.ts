import { expect, test } from 'vitest'
import { drawDockerHosts } from './draw.ts'
import { noon } from './fixtures.ts'
import type { Fate } from './host.ts'
import { duration, lifeOf } from './life.ts'

const second = 1_000
const hour = 3_600 * second

function aContainer(fate: Fate) {
  const [host] = drawDockerHosts({ hosts: 1, containers: 1, agents: 'own', seed: 1, startedAtMs: noon })
  const [web] = host!.containers
  return { ...web!, fate, sinceMs: noon - 2 * hour, startedAtMs: noon - 5 * hour }
}

test.each([
  { fate: 'runs', state: 'running', status: 'Up 5 hours (healthy)', exitCode: 0 },
  { fate: 'starting', state: 'running', status: 'Up 5 hours (health: starting)', exitCode: 0 },
  { fate: 'unhealthy', state: 'running', status: 'Up 5 hours (unhealthy)', exitCode: 0 },
  { fate: 'paused', state: 'paused', status: 'Up 5 hours (Paused)', exitCode: 0 },
  { fate: 'exited', state: 'exited', status: 'Exited (0) 2 hours ago', exitCode: 0 },
  { fate: 'failed', state: 'exited', status: 'Exited (1) 2 hours ago', exitCode: 1 },
  { fate: 'oom-killed', state: 'exited', status: 'Exited (137) 2 hours ago', exitCode: 137 },
  { fate: 'created', state: 'created', status: 'Created', exitCode: 0 },
  { fate: 'dead', state: 'dead', status: 'Dead', exitCode: 255 },
] as const)('a container that is $fate: $status', ({ fate, ...expected }) => {
  expect(lifeOf(aContainer(fate), noon)).toMatchObject(expected)
})

test('a flapping one runs for 40 seconds of each minute, and counts its restarts', () => {
  const container = { ...aContainer('flapping'), sinceMs: noon }
  const at = (seconds: number) => lifeOf(container, noon + seconds * second)
  expect(at(30)).toMatchObject({ state: 'running', status: 'Up 30 seconds', restartCount: 0, exitCode: 0 })
  expect(at(50)).toMatchObject({ state: 'restarting', status: 'Restarting (3) 10 seconds ago', exitCode: 3 })
  expect(at(190)).toMatchObject({ state: 'running', restartCount: 3, startedAtMs: noon + 180 * second })
})

test('a forced state begins at that moment, and so does its end', () => {
  const ended = aContainer('runs')
  ended.pins = { fate: 'exited', sinceMs: noon }
  expect(lifeOf(ended, noon + hour)).toMatchObject({
    status: 'Exited (0) About an hour ago',
    finishedAtMs: noon,
  })
  const begun = aContainer('exited')
  begun.pins = { fate: 'runs', sinceMs: noon }
  expect(lifeOf(begun, noon + 5 * second)).toMatchObject({
    status: 'Up 5 seconds (healthy)',
    startedAtMs: noon,
  })
})

test.each([
  [0, 'Less than a second'],
  [1, '1 second'],
  [59, '59 seconds'],
  [60, 'About a minute'],
  [120, '2 minutes'],
  [3_599, '59 minutes'],
  [3_600, 'About an hour'],
  [47 * 3_600, '47 hours'],
  [3 * 86_400, '3 days'],
  [20 * 86_400, '2 weeks'],
  [100 * 86_400, '3 months'],
  [800 * 86_400, '2 years'],
])('%i seconds are: %s', (seconds, text) => {
  expect(duration(seconds * second)).toBe(text)
})
