import type { AlertConfig, AnyRecord, BackTestKind, SourceState } from '@pulse/contract'
import { anEngine, T0 } from '../alerts/fixtures.ts'
import type { AlertChange } from '../alerts/stored.ts'
import { type Tick, tickMs } from './fixtures-back-test.ts'
import { absent } from './series.ts'

export function randomNumbers(first: number) {
  let seed = first
  return () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
}

/** The loads of things in percent, by tick, or gaps. */
export type Loads = readonly (readonly number[])[]

export type Gap = 'stop' | 'silence'

/** Loads that wander around a trigger, with spikes, stops and silence of the source. Parts of a thing stop together. */
export function wanderingLoads(
  ticks: number,
  things: number,
  trigger: number,
  gaps: readonly Gap[] = ['stop', 'silence'],
  parts = 1,
): Loads {
  const random = randomNumbers(7)
  const loads = Array.from({ length: things }, (_, n) => trigger - 10 + n * 7)
  const stoppedFor = loads.map(() => 0)
  let silentFor = 0
  return Array.from({ length: ticks }, () => {
    silentFor = silentFor > 0 ? silentFor - 1 : random() < 0.0005 ? Math.ceil(random() * 60) : 0
    return loads.map((_, n) => {
      const drift = (random() - 0.5) * 6 + (trigger - 4 - loads[n]!) * 0.02
      loads[n] = Math.min(100, Math.max(0, loads[n]! + drift))
      if (n % parts > 0) stoppedFor[n] = stoppedFor[n - 1]!
      else stoppedFor[n] = stoppedFor[n]! > 0 ? stoppedFor[n]! - 1 : random() < 0.0005 ? 30 : 0
      if (silentFor > 0 && gaps.includes('silence')) return absent.silent
      if (stoppedFor[n]! > 0 && gaps.includes('stop')) return absent.stopped
      return random() < 0.01 ? 99 : loads[n]!
    })
  })
}

/** What the live engine polls. */
export interface Polled {
  kind: BackTestKind
  source: Pick<SourceState, 'name' | 'kind'>
  /** A record with a sample as the history stores it, or one of each part; undefined: while it is stopped. */
  record: (
    n: number,
    stored: number | undefined,
    at: number,
    parts: readonly (number | undefined)[],
  ) => AnyRecord
  /** parts of each record; default: it is one thing */
  parts?: number
  /** other records of the source */
  others?: Readonly<Record<string, readonly AnyRecord[]>>
}

/** The changes of the live engine that polls the same figures. */
export function driven(ticks: readonly Tick[], polled: Polled, config: AlertConfig): AlertChange[] {
  const { kind, source, record, others, parts = 1 } = polled
  const live = anEngine(config)
  let before: AnyRecord[] = []
  ticks.forEach((values, n) => {
    const isUnreachable = values[0] === absent.silent
    const records = isUnreachable
      ? before.map((one) => ({ ...one, staleSince: T0 + n * tickMs }))
      : chunks(values, parts).map((samples, index) => {
          const stored = samples.map((one) => (one === absent.stopped ? undefined : one))
          return record(index, stored[0], T0 + n * tickMs, stored)
        })
    if (n > 0) live.pass(tickMs)
    const lists = { ...others, [kind]: records }
    if (isUnreachable) live.silence(source.name, lists, source)
    else live.tell(source.name, lists, source)
    before = records
  })
  return live.said
}

export const chunks = <T>(all: readonly T[], length: number): T[][] =>
  Array.from({ length: all.length / length }, (_, n) => all.slice(n * length, (n + 1) * length))

/** Every alert by episode: who, when it fired, when it ended. */
export function alertsOf(changes: readonly AlertChange[]) {
  const byEpisode = new Map<string, { id: string; started: number; ended?: number }>()
  for (const { what, stored, at } of changes) {
    const { episode, record, alert } = stored
    if (what === 'raised') byEpisode.set(episode, { id: record, started: Date.parse(alert.startTime) })
    if (what === 'resolved') byEpisode.get(episode)!.ended = at
    if (what === 'reopened') delete byEpisode.get(episode)!.ended
  }
  return [...byEpisode.values()]
}
