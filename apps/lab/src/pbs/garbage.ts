import type { ApplianceRoute } from '../appliance/appliance.ts'
import { fraction } from '../random.ts'
import { audited, readable } from './access.ts'
import type { BackupServer, Datastore } from './vault.ts'
import { workerUpid } from './upid.ts'

const daySeconds = 86_400
const durationSeconds = 142

export const garbageRoutes = (server: BackupServer): ApplianceRoute[] => [
  {
    path: '/admin/datastore/{store}/gc',
    needs: { privilege: 'Datastore.Audit', path: '/datastore/{store}' },
    answer: ({ params, now }) => job(server, readable(server, params.store!), now()),
  },
  {
    path: '/admin/gc',
    since: 3,
    query: { store: 'string' },
    answer: (call) =>
      audited(server, call)
        .filter(({ name }) => call.params.store === undefined || name === call.params.store)
        .filter(({ pins }) => pins.error === undefined)
        .map((datastore) => job(server, datastore, call.now())),
  },
]

/** The result of the last collection; undefined before the first one. */
export function garbage(server: BackupServer, datastore: Datastore, nowMs: number) {
  const { seed, totalBytes, unused } = datastore
  const at = startedAt(nowMs)
  const cache = server.major >= 4 && {
    'cache-stats': { hits: unused ? 0 : 6_232_019, misses: unused ? 0 : 48_211 },
  }
  const diskBytes = unused ? 0 : Math.floor(totalBytes * (0.32 + 0.25 * fraction(seed, 1)))
  const factor = 8 + 18 * fraction(seed, 2)
  return {
    upid: unused ? null : workerUpid(server, { type: 'garbage_collection', id: datastore.name, at }),
    'index-file-count': unused ? 0 : 1873,
    'index-data-bytes': Math.floor(diskBytes * factor),
    'disk-bytes': diskBytes,
    'disk-chunks': Math.floor(diskBytes / 1_900_000),
    'removed-bytes': unused ? 0 : 48_211_239_112,
    'removed-chunks': unused ? 0 : 26_118,
    'pending-bytes': unused ? 0 : 9_012_377_214,
    'pending-chunks': unused ? 0 : 4911,
    'removed-bad': 0,
    'still-bad': 0,
    ...cache,
  }
}

function job(server: BackupServer, datastore: Datastore, nowMs: number) {
  const at = startedAt(nowMs)
  const schedule = server.major >= 3 && {
    store: datastore.name,
    schedule: 'daily',
    'next-run': at + daySeconds,
    ...(!datastore.unused && {
      'last-run-endtime': at + durationSeconds,
      'last-run-state': 'OK',
      duration: durationSeconds,
    }),
  }
  return { ...garbage(server, datastore, nowMs), ...schedule }
}

/** Schedule `daily` runs at midnight. */
export const startedAt = (nowMs: number): number => Math.floor(nowMs / 1000 / daySeconds) * daySeconds
