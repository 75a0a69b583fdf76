import { precisionOf, type SampleReads } from '@pulse/domain'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HistoryFile } from './history-file.ts'
import type { ChartsAsked, ChartsPart } from './messages.ts'

/** The lines of some records as JSON, in steps between other requests. */
export async function chartsIn(
  { samples, things }: Pick<HistoryFile, 'samples' | 'things'>,
  asked: ChartsAsked,
): Promise<ChartsPart> {
  const { kind, records, lines } = asked
  const numbers = things.find(
    kind,
    records.map(({ id }) => id),
  )
  const texts = records.map(() => [] as string[])
  let oldest = Infinity
  for (const line of lines) {
    const all = await readLine(samples, line, numbers, asked)
    for (const [n, points] of all.entries()) {
      texts[n]!.push(textOf(line.name, points))
      oldest = Math.min(oldest, points[0]?.at ?? Infinity)
    }
  }
  const parts = records.map(({ shown }, n) => `${JSON.stringify(shown)}:{${texts[n]!.join()}}`)
  return { json: Buffer.from(parts.join()), ...(oldest < Infinity && { oldest }) }
}

interface Point {
  at: number
  value: number
}

/** Of each record; an empty line of one without history. */
async function readLine(
  samples: Pick<SampleReads, 'lines'>,
  { field, unit }: ChartsAsked['lines'][number],
  numbers: readonly (number | undefined)[],
  { tier, from, to, most }: ChartsAsked,
): Promise<Point[][]> {
  const found = [...new Set(numbers.filter((number) => number !== undefined))]
  const work = samples.lines({
    tier,
    field,
    things: found,
    from,
    to,
    most,
    precision: precisionOf[unit],
  })
  let step = work.next()
  for (; !step.done; step = work.next()) await (step.value ?? nextTurn())
  const byNumber = new Map(found.map((number, n) => [number, step.value![n]!]))
  const factor = unit === 'ratio' ? 100 : 1
  return numbers.map((number) =>
    (byNumber.get(number!) ?? []).map(({ at, value }) => ({ at, value: value * factor })),
  )
}

const textOf = (name: string, points: readonly Point[]): string =>
  `${JSON.stringify(name)}:[${points.map(({ at, value }) => `{"timestamp":${at},"value":${value}}`).join()}]`
