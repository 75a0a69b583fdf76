import type { Guest } from '@pulse/contract'
import { aGuest } from '@pulse/testkit'
import { settings, T0 } from '../alerts/fixtures.ts'
import { backTest, type BackTestRequest, type BackTestResult } from './back-test.ts'
import type { PlayedThing } from './played-thing.ts'
import { memoryStorage } from './fixtures-storage.ts'
import { playedFileSystem, playedRecord } from './played-records.ts'
import { precisionOf } from './precision.ts'
import { HistoryStore } from './store.ts'

export const tickMs = 10_000
export const active = settings({ activationState: 'active' })

export const aStore = (unit: keyof typeof precisionOf = 'ratio') =>
  new HistoryStore({ storage: memoryStorage(), precision: () => precisionOf[unit] })

export const guestsNamed = (vmids: readonly number[]): PlayedThing[] =>
  vmids.map((vmid, number) => {
    const record = playedRecord('guests', 'cpu', aGuest({ vmid, name: `guest ${vmid}` }))
    return { field: 1, number, key: `main:${vmid}`, record: record as never }
  })

/** A file system of a guest as a thing. */
export const fileSystemOf = (
  number: number,
  owner: string,
  guest: Guest,
  index: number,
  field = 1,
): PlayedThing => ({
  field,
  number,
  key: `${owner}:${index}`,
  owner,
  record: playedFileSystem(guest, guest.disks![index]!),
})

/** Samples of things in the order of their numbers, as the history stores them, or gaps. */
export type Tick = readonly number[]

export function recorded(ticks: readonly Tick[], unit?: keyof typeof precisionOf): HistoryStore {
  const store = aStore(unit)
  ticks.forEach((values, n) =>
    store.append(T0 + n * tickMs, [{ field: 1, things: values.map((_, thing) => thing), values }]),
  )
  for (const _ of store.compact(T0 + ticks.length * tickMs));
  return store
}

type Change = Partial<BackTestRequest> & Pick<BackTestRequest, 'to' | 'things'>

/** Plays the CPU of guests, unless the change says otherwise. */
export function play(store: Parameters<typeof backTest>[1], change: Change): BackTestResult {
  const steps = backTest(
    {
      kind: 'guests',
      metric: 'cpu',
      config: active,
      neighbours: new Map(),
      from: T0,
      rawFrom: T0,
      ...change,
    },
    store,
  )
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
