import { expect, test } from 'vitest'
import { NamedIds } from './named-ids.ts'

const put = (...ids: string[]) => ids.map((id) => [id, {}] as const)

test('of what a source had, a base lacks the ids that it has not put, or has removed again', () => {
  const named = new NamedIds()
  named.note('guests', put('a', 'b', 'c'), [])
  named.note('guests', put('d'), ['b'])
  named.note('nodes', [], [])
  expect([...named.kinds()]).toEqual(['guests', 'nodes'])
  expect(named.missingOf('guests', ['a', 'b', 'c', 'd', 'e'])).toEqual(['b', 'e'])
  expect(named.missingOf('nodes', ['n'])).toEqual(['n'])
})

test('[N 4] a base that puts and removes different ids for ever does not make it grow', () => {
  const named = new NamedIds()
  for (let n = 0; n < 10_000; n++) named.note('guests', put(`${n}`), [`${n}`])
  expect(named.size).toBe(0)
})
