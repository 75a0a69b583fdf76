import { trendPoints } from '@pulse/contract'
import { expect, test } from 'vitest'
import { highestLevel, levelsOf, noLevel, readTrends } from './lines.ts'

const { minutes, none } = trendPoints
const points = (first: string) => first.padEnd(minutes, none)
const answer = {
  from: 0,
  ids: ['a:1', 'b:2'],
  fields: {
    cpu: { unit: 'ratio', points: points('Ayz') + points('ab'), tops: [1, 1] },
    memory: { unit: 'percent', points: points('') + points('x'), tops: [100, 100] },
  },
}
const start = (levels: Uint8Array | undefined) => levels && Array.from(levels.subarray(0, 3))

test('[M 3.2] a character is a level, and a minute without a sample has none', () => {
  const trends = readTrends(answer)
  expect(start(levelsOf(trends, 'a:1', 'cpu'))).toEqual([0, highestLevel - 1, highestLevel])
  expect(start(levelsOf(trends, 'b:2', 'cpu'))).toEqual([26, 27, noLevel])
  expect(start(levelsOf(trends, 'b:2', 'memory'))).toEqual([49, noLevel, noLevel])
  expect(levelsOf(trends, 'b:2', 'cpu')).toHaveLength(minutes)
})

test('what has no history has no line', () => {
  const trends = readTrends(answer)
  expect([levelsOf(trends, 'c:3', 'cpu'), levelsOf(trends, 'a:1', 'disk')]).toEqual([undefined, undefined])
})

test('characters that no level has are gaps, from any client or version', () => {
  const cpu = { unit: 'ratio', points: points('é€A'), tops: [] }
  const odd = readTrends({ ...answer, fields: { cpu } })
  expect(start(levelsOf(odd, 'a:1', 'cpu'))).toEqual([noLevel, noLevel, 0])
})
