import type { Datastore, Storage, StorageGrowth } from '@pulse/contract'
import {
  isSample,
  isSummary,
  precisionOf,
  type Sample,
  type SampledField,
  sampledFields,
  type Tables,
  type TimedBucket,
} from '@pulse/domain'
import type { History } from './history.ts'

/** Far enough apart that every storage has a sample. */
const edgeMs = 15 * 60_000
const mostGrown = 10

interface GrowthEdges {
  history: Pick<History, 'samples' | 'buckets'>
  tables: Pick<Tables, 'storage' | 'datastores' | 'pbs'>
}

const usedOf = (kind: 'storage' | 'datastores') =>
  sampledFields.find((field) => field.kind === kind && field.name === 'used')!

/** The storages whose used space grew most, by what was measured first and last. */
export async function grownMost(
  { history, tables }: GrowthEdges,
  from: number,
  to: number,
  tier: 'raw' | 'minute',
): Promise<StorageGrowth[]> {
  const datastores = new Set([...tables.datastores.values()].map(({ name }) => name))
  // A cluster lists a datastore as a storage of its own.
  const isDatastore = ({ pbs }: Storage) => pbs !== undefined && datastores.has(pbs.datastore)
  const found: StorageGrowth[] = []
  for (const kind of ['storage', 'datastores'] as const) {
    const records = [...(tables[kind] as ReadonlyMap<string, Storage | Datastore>)].filter(
      ([, record]) => !('storage' in record) || !isDatastore(record),
    )
    const ids = records.map(([id]) => id)
    const first = await ends(history, usedOf(kind), ids, from, Math.min(to, from + edgeMs), tier)
    const last = await ends(history, usedOf(kind), ids, Math.max(from, to - edgeMs), to, tier)
    for (const [n, [id, record]] of records.entries()) {
      const [before, after] = [first[n]!.at(0), last[n]!.at(-1)]
      if (before === undefined || after === undefined || after <= before) continue
      const { name, total } = record
      const where = 'storage' in record ? nodeOf(record) : tables.pbs.get(record.source ?? '')?.name
      found.push({
        kind,
        id,
        name,
        ...(where !== undefined && { where }),
        from: before,
        to: after,
        ...(total !== undefined && { total }),
      })
    }
  }
  return found.toSorted((a, b) => b.to - b.from - (a.to - a.from)).slice(0, mostGrown)
}

const nodeOf = ({ shared, node }: Storage) => (shared ? undefined : node)

/** The values of a time, in the order of time. */
async function ends(
  history: GrowthEdges['history'],
  field: SampledField,
  ids: readonly string[],
  from: number,
  to: number,
  tier: 'raw' | 'minute',
): Promise<number[][]> {
  const { fromStored } = precisionOf[field.unit]
  const all =
    tier === 'raw'
      ? (await history.samples(field, ids, from, to)).map((samples) => samples.flatMap(storedOf))
      : (await history.buckets(field, ids, tier, from, to)).map((buckets) => buckets.flatMap(lastOf))
  return all.map((values) => values.map(fromStored))
}

const storedOf = ({ stored }: Sample) => (isSample(stored) ? [stored] : [])
const lastOf = ({ bucket }: TimedBucket) => (isSummary(bucket) ? [bucket.last] : [])
