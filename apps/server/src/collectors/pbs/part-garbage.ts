import type { Deadline } from '../../polling/loop.ts'
import type { HostContext, HostPart } from '../proxmox/host-part.ts'
import { mostDatastores } from './datastores.ts'
import { readList, readOne } from '../proxmox/schema.ts'
import { toSourceError } from '../source-error.ts'
import type { PbsCache } from './cache.ts'
import { PbsGarbage, PbsStoreGarbage } from './schema.ts'

const PATH = '/admin/gc'
const intervalMs = 300_000
/** The limit for older servers, which need one query per datastore. */
const mostStores = 50

/** Garbage collection: its times, the freed space and the deduplication factor. */
export const garbage: HostPart<PbsCache> = {
  name: 'garbage collection',
  flags: ['monitorGarbageJobs', 'monitorDatastores'],
  calls: { perMinute: 0.2, each: { perMinute: 0.2 } },
  start(context) {
    const { cache } = context
    let isListed = true

    async function ask(signal: AbortSignal, deadline: Deadline): Promise<Map<string, PbsGarbage>> {
      if (!isListed) return askEach(context, signal, deadline)
      try {
        const rows = readList(PbsStoreGarbage, await context.get(PATH, signal), PATH)
        return new Map(rows.slice(0, mostDatastores).map(({ store, ...job }) => [store, job]))
      } catch (cause) {
        const { code } = toSourceError(cause)
        if (code !== 'not_found' && code !== 'unsupported') throw cause
        isListed = false
        return askEach(context, signal, deadline)
      }
    }

    return {
      loops: [
        {
          name: 'garbage collection',
          intervalMs: () => intervalMs,
          right: 'Datastore.Audit',
          async run(signal, deadline) {
            const jobs = await ask(signal, deadline)
            for (const [store, job] of jobs) cache.datastores.collected(store, job)
            cache.garbage = jobs
          },
        },
      ],
      stop: () => void (cache.garbage = new Map()),
    }
  },
}

/** Before 3.2 there is no list of all. A datastore that fails keeps its earlier data. */
async function askEach(
  { cache, get, turn, counts }: HostContext<PbsCache>,
  signal: AbortSignal,
  deadline: Deadline,
) {
  const stores = cache.datastores.readable().slice(0, mostStores)
  counts(stores.length)
  const jobs = new Map<string, PbsGarbage>()
  for (const store of stores) {
    const path = `/admin/datastore/${store}/gc`
    await turn(signal, deadline)
    try {
      jobs.set(store, readOne(PbsGarbage, await get(path, signal), path))
    } catch (cause) {
      if (!toSourceError(cause).isRefusal) throw cause
      const before = cache.garbage.get(store)
      if (before) jobs.set(store, before)
    }
  }
  return jobs
}
