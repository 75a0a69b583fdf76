import { isSample, isSummary, type SampleReads } from '@pulse/domain'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HistoryFile } from './history-file.ts'
import type { EdgeValues, EdgeValuesAsked } from './messages.ts'

/** Things per step. Those with numbers next to each other are in one tile. */
const thingsPerStep = 128

/** What was measured first and last in a time, in steps between other requests. Undefined without a value at both ends. */
export async function edgeValuesIn(
  { samples, things }: Pick<HistoryFile, 'samples' | 'things'>,
  { kind, ids, ...asked }: EdgeValuesAsked,
): Promise<(EdgeValues | undefined)[]> {
  const numbers = things.find(kind, ids)
  const found = [...new Set(numbers.filter((number) => number !== undefined))].toSorted((a, b) => a - b)
  const known = new Map<number | undefined, EdgeValues>()
  for (let n = 0; n < found.length; n += thingsPerStep) {
    const own = found.slice(n, n + thingsPerStep)
    const { from, to, edgeMs } = asked
    const begin = await valuesOf(samples, asked, own, from, Math.min(to, from + edgeMs))
    const end = await valuesOf(samples, asked, own, Math.max(from, to - edgeMs), to)
    for (const [at, number] of own.entries()) {
      const [first, last] = [begin[at]!.at(0), end[at]!.at(-1)]
      if (first !== undefined && last !== undefined) known.set(number, { first, last })
    }
    await nextTurn()
  }
  return numbers.map((number) => known.get(number))
}

/** The stored values of each thing, in the order of time. */
async function valuesOf(
  samples: SampleReads,
  { tier, field }: Pick<EdgeValuesAsked, 'tier' | 'field'>,
  things: readonly number[],
  from: number,
  to: number,
): Promise<number[][]> {
  if (tier === 'raw') {
    const columns = await samples.columns(field, things, from, to)
    return columns.map(({ values }) => Array.from(values).filter(isSample))
  }
  const all = await samples.buckets(tier, field, things, from, to)
  return all.map((buckets) => buckets.flatMap(({ bucket }) => (isSummary(bucket) ? [bucket.last] : [])))
}
