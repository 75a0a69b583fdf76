import type { SourceState } from '@pulse/contract'
import { aMeta } from '@pulse/testkit'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { logHealth } from './log-health.ts'
import { createState } from './state.ts'

function given() {
  const lines: string[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(line) })
  const state = createState(aMeta())
  logHealth(state, log)
  const say = (health: SourceState['health'], more: Partial<SourceState> = {}) =>
    state.observe({ source: 'c1', records: {}, state: { name: 'main', kind: 'pve', health, ...more } })
  return { state, say, said: () => lines.splice(0).map((line) => JSON.parse(line) as { msg: string }) }
}

test('each change of the health is one line, however often and in whatever words it is reported', () => {
  const { say, said } = given()
  for (const lastSeen of [1, 2]) say('healthy', { lastSeen })
  expect(said()).toEqual([])
  for (const error of ['timeout', 'no route']) say('error', { error })
  expect(said()).toEqual([
    { level: 40, connection: 'c1', source: 'main', error: 'timeout', msg: 'source does not answer' },
  ])
  for (const error of ['a node is off', undefined]) say('degraded', error === undefined ? {} : { error })
  say('healthy')
  expect(said().map(({ msg }) => msg)).toEqual(['source is degraded', 'source is healthy again'])
})

test('a first answer is no recovery, nor is one of a source that was removed or changed; agents are not logged here', () => {
  const { state, say, said } = given()
  say('unknown')
  say('healthy')
  say('error')
  state.forget('c1')
  say('healthy')
  expect(said()).toHaveLength(1)
  say('error', { kind: 'docker' })
  expect(said()).toEqual([])
})
