import { expect, test } from 'vitest'
import { aContainer, aReport } from './given.ts'
import { readReport } from './read-report.ts'
import { fitted } from './room.ts'

const report = readReport(aReport({ containers: ['a', 'b', 'c'].map((name) => aContainer({ name })) }))
const others = (containers: number, kept: number) => [
  { containers: new Map(Array.from({ length: containers }, (_, n) => [String(n), {} as never])), kept },
]

test('[R18] a report that fits is taken as it is', () => {
  expect(fitted(report, others(7, 100), { containers: 10, characters: 100 + report.kept })).toBe(report)
})

test('[R18] what all hosts may hold together bounds the containers of one, and it is said', () => {
  const { containers, cut } = fitted(report, others(8, 0), { containers: 10, characters: 1e6 })
  expect([...containers.keys()]).toEqual(['a', 'b'])
  expect(cut).toEqual(['containers'])
  expect(fitted(report, others(12, 0), { containers: 10, characters: 1e6 }).containers.size).toBe(0)
})

test('[R18] when there is no room for texts, labels, ports and networks stay out; the containers are there', () => {
  const { containers, cut, kept } = fitted(report, others(0, 1e6), { containers: 10, characters: 1e6 })
  expect(containers.size).toBe(3)
  expect(containers.get('a')).toMatchObject({ name: 'a', cpuPercent: 12.5 })
  for (const field of ['labels', 'ports', 'networks']) expect(containers.get('a')).not.toHaveProperty(field)
  expect(cut).toEqual(['labels', 'networks', 'ports'])
  expect(kept).toBe(0)
})
