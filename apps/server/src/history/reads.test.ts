import { expect, test } from 'vitest'
import { createReads } from './reads.ts'

test('[M 4] charts are made one part at a time, and other reads do not wait for them', async () => {
  const reads = createReads()
  const begun: string[] = []
  const end = Promise.withResolvers<void>()
  const read = (name: string) => async () => {
    begun.push(name)
    await end.promise
  }
  const all = [
    reads.run('charts', read('charts 1')),
    reads.run('charts', read('charts 2')),
    reads.run('charts', read('charts 3')),
    reads.run('state', read('state')),
    reads.run('edgeValues', read('growth')),
  ]
  await Promise.resolve()
  expect(begun.toSorted()).toEqual(['charts 1', 'growth', 'state'])
  end.resolve()
  await Promise.all(all)
  expect(begun).toHaveLength(5)
})

test('[M 4] who looks for the changes of a thing holds up only others who do', async () => {
  const reads = createReads()
  const begun: string[] = []
  const end = Promise.withResolvers<void>()
  const read = (name: string) => async () => {
    begun.push(name)
    await end.promise
  }
  const all = [
    ...[1, 2, 3].map((n) => reads.run('changes', read(`changes ${n}`))),
    reads.run('series', read('series')),
  ]
  await Promise.resolve()
  expect(begun.toSorted()).toEqual(['changes 1', 'changes 2', 'series'])
  end.resolve()
  await Promise.all(all)
})
