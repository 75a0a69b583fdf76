import type { Frame } from '@pulse/domain'
import { aGuest } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { createHoldings } from './foreign-holdings.ts'

const base = (ids: readonly string[], completes: boolean, kind = 'guests') =>
  ({
    begins: true,
    ...(completes && { completes }),
    records: { [kind]: { put: ids.map((id) => [id, aGuest()]), remove: [] } },
  }) as unknown as Frame
const changes = (put: readonly string[], remove: readonly string[] = [], name = '') =>
  ({ records: { guests: { put: put.map((id) => [id, aGuest({ name })]), remove } } }) as unknown as Frame
const most = { records: 4, bytes: 1e6 }
const tooMany = 'a source has too many records'

test('[N 4] a source has so many records, whichever bases and changes brought them', () => {
  const hold = createHoldings(most)
  hold(base(['a', 'b', 'c', 'd'], true))
  hold(changes([], ['d']))
  hold(changes(['e']))
  hold(base(['w', 'x', 'y', 'z'].slice(0, 0), true))
  hold(base(['w', 'x', 'y', 'z'], true))
  expect(() => hold(changes(['v']))).toThrow(tooMany)
})

test('[N 4] bases that never become complete add up', () => {
  const hold = createHoldings(most)
  hold(base(['a', 'b'], false))
  hold(base(['a', 'b'], false))
  hold(base(['c', 'd'], false))
  expect(() => hold(base(['e'], false))).toThrow(tooMany)
})

test('[N 4] kinds that a base does not name count', () => {
  const hold = createHoldings(most)
  hold(base(['a', 'b', 'c'], true))
  expect(() => hold(base(['a', 'b', 'c'], true, 'nodes'))).toThrow(tooMany)
})

test('[N 4] records that become large are too many', () => {
  const hold = createHoldings(most)
  hold(base(['a', 'b'], true))
  hold(changes(['a'], [], 'x'.repeat(900_000)))
  expect(() => hold(changes(['b'], [], 'x'.repeat(900_000)))).toThrow(tooMany)
})
