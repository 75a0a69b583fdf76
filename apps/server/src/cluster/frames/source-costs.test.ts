import { spreadStep, type Tables } from '@pulse/domain'
import { fakeClock } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { sourceCosts } from './source-costs.ts'

/** The guests of each source. */
function given(guests: Record<string, number>) {
  const clock = fakeClock()
  const tables = Object.fromEntries(
    ['nodes', 'guests', 'storage', 'physicalDisks', 'datastores', 'replicationJobs'].map((kind) => [
      kind,
      new Map<string, { source: string }>(),
    ]),
  )
  const put = (source: string, count: number) => {
    for (let n = 0; n < count; n++) tables['guests']!.set(`${source}:${n}`, { source })
  }
  for (const [source, count] of Object.entries(guests)) put(source, count)
  return { clock, put, costOf: sourceCosts(tables as unknown as Tables, clock) }
}

describe('[N 3] the work that a source makes', () => {
  test('follows its records, and is never nothing', () => {
    const { costOf } = given({ large: 2_500, small: 20 })
    expect([costOf('large'), costOf('small'), costOf('unknown')]).toEqual([2_048, 32, 16])
  })

  test('stays the same with some guests more', () => {
    const { costOf } = given({ a: 400, b: 440 })
    expect(costOf('a')).toBe(costOf('b'))
  })

  test('is counted every ten seconds', async () => {
    const { clock, put, costOf } = given({ a: 10 })
    const before = costOf('a')
    put('a', 1_000)
    await clock.advance(9_000)
    expect(costOf('a')).toBe(before)
    await clock.advance(1_000)
    expect(costOf('a')).toBe(1_024)
  })

  test('gives a collector with a large cluster no further source, while another one has the small ones', () => {
    const { costOf } = given({
      large: 2_500,
      ...Object.fromEntries('abcdef'.split('').map((one) => [one, 20])),
    })
    const sources = ['large', ...'abcdef']
    const view = {
      collectors: ['one', 'two'],
      costs: new Map(sources.map((source) => [source, costOf(source)])),
      holders: new Map<string, string>(),
      overdue: new Set<string>(),
    }
    const [one, two] = view.collectors.map((own) => spreadStep({ ...view, own }).claim.toSorted())
    expect([one, two]).toEqual([['large'], [...'abcdef']])
  })
})
