import { recordSchemas, type RecordKind, type RecordOf, type SourceState } from '@pulse/contract'
import { type Connection, type Observation, Secret } from '@pulse/domain'
// For tests only, like this package.
import { fakeClock } from '@pulse/testkit'
import { pino } from 'pino'
import { expect } from 'vitest'
import { yieldToEventLoop } from '../../timing/yield.ts'
import { aShownSource } from '../fixtures.ts'
import { createListReader } from '../list-reader.ts'
import { SourceError } from '../source-error.ts'
import { usualPace, type Pace } from '../source.ts'
import type { HostClient } from './host-client.ts'
import { type WatchedHost, watchHost } from './watch-host.ts'

/** The answer for each path: the data, or the error to throw. A star at the end matches any rest. */
export type Answers = Record<string, unknown>

export interface GivenHost {
  answers: Answers
  /** every requested path, in order */
  asked: string[]
  /** logged defects of Pulse */
  faults: unknown[]
  seen: Observation[]
  state(): SourceState
  records<K extends RecordKind>(kind: K): RecordOf<K>[]
  /** The complete published map of a kind. */
  picture<K extends RecordKind>(kind: K): ReadonlyMap<string, RecordOf<K>>
  pass(seconds: number): Promise<void>
  running: ReturnType<typeof watchHost>
  pace: Pace
  /** milliseconds until a part may make another call, by the time and the earlier calls */
  budget: { waitMs: (part: string | undefined, now: number) => number }
}

export const refusal = (code: SourceError['code'], message: string = code) => new SourceError(code, message)

const stepMs = 250
const turnsPerStep = 4

const isMeant = (key: string, path: string) =>
  key.endsWith('*') ? path.startsWith(key.slice(0, -1)) : key === path

/** A host that answers from a table, with a fake clock. Each record is validated against its schema. */
export function givenHost<Cache>(
  watched: WatchedHost<Cache>,
  answers: Answers,
  change: Partial<Connection> = {},
  firstAfterMs = 0,
): GivenHost {
  const clock = fakeClock()
  const asked: string[] = []
  const faults: unknown[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void faults.push(line) })
  const seen: Observation[] = []
  const pace: Pace = { ...usualPace, hostMs: 60_000 }
  const budget: GivenHost['budget'] = { waitMs: () => 0 }
  const client: HostClient = {
    async get(path, { each }) {
      asked.push(path)
      const [, known = refusal('not_found', `${path}: not found`)] =
        Object.entries(answers).find(([key]) => isMeant(key, path)) ?? []
      const answer: unknown = typeof known === 'function' ? await (known as () => unknown)() : known
      if (answer instanceof Error) throw answer
      if (!each) return structuredClone(answer)
      const reader = createListReader(path, each)
      reader.take(Buffer.from(JSON.stringify({ data: answer })))
      return reader.end()
    },
    waitMs: (part) => budget.waitMs(part, clock.monotonic()),
    close: () => Promise.resolve(),
  }
  const connection: Connection = {
    id: 'c1',
    kind: watched.product.kind,
    name: 'main',
    host: 'https://host.example:8007',
    auth: { type: 'token', tokenId: 'a@b!c', secret: new Secret('canary') },
    verifySSL: true,
    flags: {},
    ...change,
  }
  const shown = aShownSource(clock, log)
  const observe = (observation: Observation) => {
    seen.push(observation)
    shown.observe(observation)
    for (const [kind, records] of Object.entries(observation.records))
      for (const record of records.values())
        expect(recordSchemas[kind as RecordKind].safeParse(record).error, kind).toBeUndefined()
  }
  const edges = { clock, log, firstAfterMs, observe, learned: () => {}, pace: () => pace }
  const running = watchHost(connection, edges, watched, () => client)
  const picture: GivenHost['picture'] = (kind) => seen.at(-1)!.records[kind] ?? new Map()
  return {
    answers,
    asked,
    faults,
    seen,
    running,
    pace,
    budget,
    picture,
    state: () => shown.source()!,
    records: shown.records,
    /** Advances in small steps, between which work in steps can continue. */
    async pass(seconds) {
      const until = clock.monotonic() + seconds * 1000
      while (clock.monotonic() < until) {
        await clock.advance(Math.min(stepMs, until - clock.monotonic()))
        for (let turn = 0; turn < turnsPerStep; turn++) await yieldToEventLoop()
      }
    },
  }
}
