import type { Datastore, Storage, StorageGrowth } from '@pulse/contract'
import type { Tables } from '@pulse/domain'
import { fieldOf } from './charts.ts'
import type { History } from './history.ts'

/** Far enough apart that every storage has a sample. */
const edgeMs = 15 * 60_000
const mostGrown = 10
/** Two steps of the stored values; less may be rounding. */
const leastShare = 0.0005

interface GrowthEdges {
  history: Pick<History, 'edgeValues'>
  tables: Pick<Tables, 'storage' | 'datastores' | 'pbs'>
}

/** The storages whose used space grew most, by what was measured first and last. */
export async function grownMost(
  { history, tables }: GrowthEdges,
  from: number,
  to: number,
  tier: 'raw' | 'minute',
): Promise<StorageGrowth[]> {
  const isDatastore = datastoreFinder(tables)
  const found: StorageGrowth[] = []
  for (const kind of ['storage', 'datastores'] as const) {
    const records = [...(tables[kind] as ReadonlyMap<string, Storage | Datastore>)].filter(
      ([, record]) => !('storage' in record) || !isDatastore(record),
    )
    const ids = records.map(([id]) => id)
    const values = await history.edgeValues(fieldOf(kind, 'used'), ids, { tier, from, to, edgeMs })
    for (const [n, [id, record]] of records.entries()) {
      const { first = 0, last = 0 } = values[n] ?? {}
      if (last <= first || last - first < leastShare * last) continue
      const { name, total } = record
      const where = 'storage' in record ? nodeOf(record) : tables.pbs.get(record.source ?? '')?.name
      found.push({
        kind,
        id,
        name,
        ...(where !== undefined && { where }),
        from: first,
        to: last,
        ...(total !== undefined && { total }),
      })
    }
  }
  return found.toSorted((a, b) => b.to - b.from - (a.to - a.from)).slice(0, mostGrown)
}

/**
 * A cluster lists a datastore as a storage of its own. Both may call the server by different names, so the same size
 * counts, too.
 */
function datastoreFinder({ datastores, pbs: servers }: GrowthEdges['tables']): (storage: Storage) => boolean {
  const byName = Map.groupBy(datastores.values(), ({ name }) => name)
  return ({ pbs, total }) =>
    pbs !== undefined &&
    (byName.get(pbs.datastore) ?? []).some(
      (one) =>
        (total !== undefined && total === one.total) ||
        hostOf(servers.get(one.source ?? '')?.host ?? '') === pbs.server.toLowerCase(),
    )
}

const hostOf = (address: string): string =>
  URL.parse(address)?.hostname.replace(/^\[|\]$/g, '') ?? address.replace(/:\d+$/, '').toLowerCase()

const nodeOf = ({ shared, node }: Storage) => (shared ? undefined : node)
