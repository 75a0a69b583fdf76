import { usualLimits, type Limits } from '../proxmox/call.ts'
import type { Part } from './part.ts'
import { PveNodeStorage, PveStorageConfig, readList } from './schema.ts'
import { storageNeed } from './visibility.ts'

/** A dead NFS mount delays the answer by a minute and does no other harm. */
const limits: Limits = { ...usualLimits, headersMs: 60_000, totalMs: 65_000 }
/** The listing has the usage every ten seconds. The configuration seldom changes. */
const intervalMs = 90_000
const configIntervalMs = { usual: 600_000, lacking: 60_000 }

/** The storages: their configuration, and their state on each node. */
export const storages: Part = {
  name: 'storages',
  flags: ['monitorStorage'],
  calls: { perMinute: 0.1, node: 2 / 3 },
  kinds: ['storage'],
  rights: [{ ...storageNeed, hides: 'storages', silent: true }],
  start({ gateway, nodes, storages: cache }) {
    const isOnline = (node: string) => nodes.get(node)?.online ?? false
    return {
      loops: [
        {
          name: 'storage configuration',
          intervalMs: () => (cache.lacksConfig ? configIntervalMs.lacking : configIntervalMs.usual),
          firstAfterMs: 200,
          async run(signal) {
            const { data, at } = await gateway.cluster('/storage', { signal })
            cache.configure(readList(PveStorageConfig, data, '/storage'))
            return at
          },
        },
      ],
      node: ({ name }, ask) => ({
        loops: [
          {
            name: 'storage',
            intervalMs,
            firstAfterMs: 100,
            deadlineMs: 70_000,
            async run(signal) {
              const { data, at } = await ask('/storage', signal, limits)
              cache.report(name, readList(PveNodeStorage, data, `/nodes/${name}/storage`), at)
              return at
            },
          },
        ],
      }),
      listed: (listing) => cache.list(listing.storages, listing.at, isOnline, listing.freshForMs),
      records(context, now) {
        cache.settle(new Map(nodes.names().map((name) => [name, nodes.get(name)!])))
        return { storage: cache.records(context, now) }
      },
      stop: () => cache.clear(),
    }
  },
}
