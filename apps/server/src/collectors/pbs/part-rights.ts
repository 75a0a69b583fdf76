import type { HostPart } from '../proxmox/host-part.ts'
import { holdingOf, missingOf } from '../proxmox/rights.ts'
import { Permissions, readOne } from '../proxmox/schema.ts'
import { SourceError } from '../source-error.ts'
import type { PbsCache } from './cache.ts'
import { denied, RIGHT } from './datastores.ts'
import { needs } from './map.ts'

const PATH = '/access/permissions'
const minute = 60_000
const mostHidden = 100

/** Missing rights of the account. PBS filters lists silently, so only this part finds them. */
export const rights: HostPart<PbsCache> = {
  name: 'rights',
  calls: { perMinute: 1 },
  start: ({ cache, get, health }) => {
    let isMissing = false

    /** Reports datastores without the right while all others have it: lists omit them. */
    function tellBroken(granted: Permissions) {
      const holding = holdingOf(granted, needs[0]!)
      const stores = holding.is === 'broken' ? holding.not.flatMap(storeOf).slice(0, mostHidden) : []
      const names = cache.datastores.names()
      health.forgetAll((what) => isHidden(what) && !stores.some((store) => what === hidden(store)))
      for (const store of stores) {
        // A datastore that was listed before reports the missing right itself.
        if (names.includes(store)) health.forgetAll((what) => what === hidden(store))
        else health.failed(hidden(store), new SourceError('forbidden', denied(store).error), RIGHT)
      }
      isMissing ||= stores.length > 0
    }

    return {
      loops: [
        {
          name: 'rights',
          intervalMs: () => (isMissing ? 1 : 60) * minute,
          async run(signal) {
            const granted = readOne(Permissions, await get(PATH, signal), PATH)
            isMissing = false
            for (const need of needs) {
              const what = entryOf(need.path)
              const [missing] = missingOf(granted, [need])
              if (missing === undefined) health.answered(what)
              else health.failed(what, new SourceError('forbidden', missing), need.called)
              isMissing ||= missing !== undefined
            }
            tellBroken(granted)
          },
        },
      ],
      stop: () =>
        health.forgetAll((what) => isHidden(what) || needs.some(({ path }) => what === entryOf(path))),
    }
  },
}

const hidden = (store: string) => `hidden datastore ${store}`
const isHidden = (what: string) => what.startsWith(hidden(''))
/** Excludes namespaces. */
const storeOf = (path: string) => /^\/datastore\/([^/]+)$/.exec(path)?.slice(1, 2) ?? []
const entryOf = (path: string) => `everything on ${path}`
