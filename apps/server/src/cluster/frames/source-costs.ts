import type { RecordKind } from '@pulse/contract'
import type { Clock, Observation, Tables } from '@pulse/domain'

/** The kinds that a poll reads. Backups are read rarely. */
const polled = [
  'nodes',
  'guests',
  'storage',
  'physicalDisks',
  'datastores',
  'replicationJobs',
] as const satisfies readonly RecordKind[]
/** The calls of a source with hardly any records cost as much as so many records. */
const callsCost = 16
const countMs = 10_000

export const polledRecords = (records: Observation['records']): number =>
  polled.reduce((sum, kind) => sum + (records[kind]?.size ?? 0), 0)

/**
 * How much work each source makes, from what the state has of it, or else from what its holder says (`heard`), which is the
 * same in all processes. A power of two, so that some guests more or fewer move nothing.
 */
export function sourceCosts(
  tables: Pick<Tables, (typeof polled)[number]>,
  clock: Pick<Clock, 'monotonic'>,
  heard: (source: string) => number | undefined = () => undefined,
): (source: string) => number {
  let counts = new Map<string, number>()
  let countedAt = -Infinity

  function count() {
    counts = new Map()
    for (const kind of polled)
      for (const { source } of tables[kind].values()) counts.set(source, (counts.get(source) ?? 0) + 1)
    countedAt = clock.monotonic()
  }

  return (source) => {
    if (clock.monotonic() - countedAt >= countMs) count()
    return 2 ** Math.round(Math.log2(callsCost + (counts.get(source) ?? heard(source) ?? 0)))
  }
}
