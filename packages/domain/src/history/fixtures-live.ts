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

/** Loads that wander around a trigger, with spikes, stops and silence of the source. */
export function wanderingLoads(
  ticks: number,
  things: number,
  trigger: number,
  gaps: readonly Gap[] = ['stop', 'silence'],
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
      stoppedFor[n] = stoppedFor[n]! > 0 ? stoppedFor[n]! - 1 : random() < 0.0005 ? 30 : 0
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
  /** A record with a sample as the history stores it; undefined: while it is stopped. */
  record: (n: number, stored: number | undefined, at: number) => AnyRecord
  /** other records of the source */
  others?: Readonly<Record<string, readonly AnyRecord[]>>
}

/** The changes of the live engine that polls the same figures. */
export function driven(ticks: readonly Tick[], polled: Polled, config: AlertConfig): AlertChange[] {
  const { kind, source, record, others } = polled
  const live = anEngine(config)
  let before: AnyRecord[] = []
  ticks.forEach((values, n) => {
    const isUnreachable = values[0] === absent.silent
    const records = isUnreachable
      ? before.map((one) => ({ ...one, staleSince: T0 + n * tickMs }))
      : values.map((stored, index) =>
          record(index, stored === absent.stopped ? undefined : stored, T0 + n * tickMs),
        )
    if (n > 0) live.pass(tickMs)
    const lists = { ...others, [kind]: records }
    if (isUnreachable) live.silence(source.name, lists, source)
    else live.tell(source.name, lists, source)
    before = records
  })
  return live.said
}

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
