import type { HostPart } from '../proxmox/host-part.ts'
import { readList } from '../proxmox/schema.ts'
import { SourceError, toSourceError } from '../source-error.ts'
import type { PbsBook } from './book.ts'
import { denied, RIGHT } from './datastores.ts'
import { PbsUsage } from './schema.ts'

const PATH = '/status/datastore-usage'
/** Of those that are listed no more, asked about in one round. */
const mostMissed = 4

export const entryOf = (store: string) => `datastore ${store}`
const isEntry = (what: string) => what.startsWith(entryOf(''))

/** The datastores and what is left in them, in one call for all. */
export const datastores: HostPart<PbsBook> = {
  name: 'datastores',
  flags: ['monitorDatastores'],
  calls: { perLook: 1 },
  kinds: ['datastores'],
  start({ book, clock, get, unreadable, wake }) {
    const known = book.datastores

    /** Not listed any more: it was removed, or the account may not see it now. Asking for it tells. */
    async function lookFor(store: string, signal: AbortSignal) {
      try {
        await get(`/admin/datastore/${store}/status`, signal)
      } catch (cause) {
        const error = toSourceError(cause)
        if (error.code === 'forbidden') known.trouble(store, denied(store))
        // Whatever else it says by itself means that it is not there.
        else if (error.isRefusal || error.code === 'server') known.drop(store)
      }
    }

    function tell(store: string) {
      const trouble = known.troubleOf(store)
      if (!trouble) return unreadable.read(entryOf(store))
      const code = trouble.status === 'denied' ? 'forbidden' : 'server'
      unreadable.failed(entryOf(store), new SourceError(code, trouble.error), RIGHT)
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
            unreadable.forget((what) => isEntry(what) && !names.some((store) => what === entryOf(store)))
            for (const store of names) tell(store)
            if (known.readable().every((store) => before.includes(store))) return
            wake('garbage collection')
            wake('snapshots')
          },
        },
      ],
      records: (context) => ({
        datastores: known.records(context, (store) => book.snapshots.namespaces(store, context)),
      }),
      stop() {
        unreadable.forget(isEntry)
        known.clear()
      },
    }
  },
}
