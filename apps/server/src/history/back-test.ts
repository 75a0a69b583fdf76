import { postHistoryBackTest, type AnyRecord, type BackTest, type BodyOf, type MeasuredKind } from '@pulse/contract'
import { type Clock, neighbourOf, playedRecord, type PlayedThing, type Tables, usualKeepMs } from '@pulse/domain'
import { AppError } from '../app-error.ts'
import { principalOf, route } from '../http/route.ts'
import { yieldToEventLoop } from '../timing/yield.ts'
import type { History } from './history.ts'

const hourMs = 3_600_000
const recordsPerStep = 500

export interface BackTestEdges {
  history: Pick<History, 'numberOf' | 'backTest'>
  tables: Tables
  clock: Clock
}

/** Plays the history with a configuration that is not saved. The thread of the history does the work. */
export function backTestRoute({ history, tables, clock }: BackTestEdges) {
  function neighboursOf(kind: MeasuredKind): Map<string, AnyRecord> {
    const neighbour = neighbourOf[kind]
    if (neighbour === undefined) return new Map()
    const all = [...(tables[neighbour] as ReadonlyMap<string, AnyRecord>)]
    const thin = (record: AnyRecord) =>
      neighbour === 'dockerHosts' ? record : playedRecord(neighbour, '', record)!
    return new Map(all.map(([key, record]) => [key, thin(record)]))
  }

  async function run(user: string, { kind, metric, id, config }: BodyOf<typeof postHistoryBackTest>): Promise<BackTest> {
    const things: PlayedThing[] = []
    let done = 0
    let unplayed = 0
    for (const [key, record] of tables[kind] as ReadonlyMap<string, PlayedThing['record']>) {
      if (++done % recordsPerStep === 0) await yieldToEventLoop()
      const number = history.numberOf(kind, key)
      if (number === undefined || (id !== undefined && key !== id)) continue
      const thin = playedRecord(kind, metric, record)
      if (thin) things.push({ number, key, record: thin as PlayedThing['record'] })
      else unplayed++
    }
    const to = clock.now()
    const keptMs = (tier: 'raw' | 'minute') => usualKeepMs[tier] ?? Infinity
    const played = await history.backTest(user, {
      kind,
      metric,
      config,
      things,
      neighbours: neighboursOf(kind),
      from: startOfHour(to - keptMs('minute')),
      to,
      rawFrom: startOfHour(to - keptMs('raw')) + hourMs,
    })
    if (played) return { ...played, unplayed }
    throw new AppError('conflict', 'A newer back-test of yours has replaced this one.')
  }

  return route(postHistoryBackTest, (input) => run(principalOf(input).name, input.body))
}

const startOfHour = (at: number) => Math.floor(at / hourMs) * hourMs
