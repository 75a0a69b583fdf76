import type { HostPart } from '../proxmox/host-part.ts'
import { readList } from '../proxmox/schema.ts'
import { SourceError, toSourceError } from '../source-error.ts'
import type { PbsCache } from './cache.ts'
import { denied, mostDatastores, RIGHT } from './datastores.ts'
import { PbsUsage } from './schema.ts'

const PATH = '/status/datastore-usage'
/** Unlisted datastores queried in one round. */
const mostMissed = 4

export const entryOf = (store: string) => `datastore ${store}`
/** Datastores beyond the limit, listed but not shown. */
const FURTHER = 'further datastores'
const isEntry = (what: string) => what.startsWith(entryOf(''))

/** The datastores and their free space, with one call for all. */
export const datastores: HostPart<PbsCache> = {
  name: 'datastores',
  flags: ['monitorDatastores'],
  calls: { perLook: 1 },
  kinds: ['datastores'],
  start({ cache, clock, get, health, wake }) {
    const known = cache.datastores

    /** The datastore was removed, or the account may not see it any more. A query shows which. */
    async function lookFor(store: string, signal: AbortSignal) {
      try {
        await get(`/admin/datastore/${store}/status`, signal)
      } catch (cause) {
        const error = toSourceError(cause)
        if (error.code === 'forbidden') known.trouble(store, denied(store))
        // Any other refusal means that it does not exist any more.
        else if (error.isRefusal || error.code === 'server') known.drop(store)
      }
    }

    function judge(store: string) {
      const trouble = known.troubleOf(store)
      if (!trouble) return health.answered(entryOf(store))
      const code = trouble.status === 'denied' ? 'forbidden' : 'server'
      health.failed(entryOf(store), new SourceError(code, trouble.error), RIGHT)
    }

    function judgeFurther(count: number) {
      if (count <= mostDatastores) return health.answered(FURTHER)
      const text = `${mostDatastores} of ${count} datastores are shown, which is the limit of one connection`
      health.failed(FURTHER, new SourceError('too_large', text))
    }

    return {
      loops: [
        {
          name: 'datastores',
          right: RIGHT,
          async run(signal) {
            const rows = readList(PbsUsage, await get(PATH, signal), PATH)
            const before = known.readable()
            const missed = known.report(rows, clock.monotonic())
            for (const store of missed.slice(0, mostMissed)) await lookFor(store, signal)
            const names = known.names()
            const there = new Set(names.map(entryOf))
            health.forgetAll((what) => isEntry(what) && !there.has(what))
            for (const store of names) judge(store)
            judgeFurther(rows.length)
            if (known.readable().every((store) => before.includes(store))) return
            wake('garbage collection')
            wake('snapshots')
          },
        },
      ],
      records: (context) => ({
        datastores: known.records(context, (store) => cache.snapshots.namespaces(store, context)),
      }),
      stop() {
        health.forgetAll((what) => isEntry(what) || what === FURTHER)
        known.clear()
      },
    }
  },
}
