import type { Estate } from '../estate/estate.ts'
import { dice, hash } from '../random.ts'
import { drawJobs } from './drawn-jobs.ts'
import { drawNamespaces } from './namespaces.ts'
import type { BackupServer, Datastore, Namespace } from './vault.ts'

export interface ServerPlan {
  name: string
  /** The clusters save to the first server; the others keep copies. */
  index: number
  major: number
  seed: number
  estate: Estate
  /** Total number of snapshots on the first server; by default the guests' backups. */
  snapshots: number | undefined
  nowMs: number
}

const gib = 1024 ** 3
const daySeconds = 86_400

export function drawServer(plan: ServerPlan): BackupServer {
  const { name, index, major, estate, nowMs } = plan
  const seed = hash(`${plan.seed}/${name}/server`)
  const draw = dice(seed)
  const datastore = (store: string, comment: string | null, totalBytes: number): Datastore => ({
    name: store,
    comment,
    seed: hash(`${seed}/${store}`),
    totalBytes,
    namespaces: [],
    unused: index > 0 && store === 'offsite',
    pins: {},
  })
  const offsite = datastore('offsite', null, 7_997_279_698_944)
  const main = datastore('main', 'nightly backups', 35_184_372_088_832)
  offsite.namespaces = drawNamespaces({ estate, index, datastore: 'offsite', fill: 0, seed: offsite.seed })
  const counted = (datastores: Datastore[]) =>
    datastores.reduce((sum, { namespaces }) => sum + countSnapshots(namespaces, nowMs), 0)
  const plain = { estate, index, datastore: 'main', seed: main.seed }
  main.namespaces = drawNamespaces({ ...plain, fill: 0 })
  if (plan.snapshots !== undefined && index === 0) {
    const fill = Math.max(0, plan.snapshots - counted([main, offsite]))
    main.namespaces = drawNamespaces({ ...plain, fill })
  }
  return {
    name,
    major,
    seed,
    bootedAtMs: nowMs - draw.int(3, 120) * daySeconds * 1000,
    cpus: draw.pick([4, 8, 16]),
    memBytes: draw.pick([16, 32, 64]) * gib - 420 * 1024 * 1024,
    datastores: [main, offsite],
    jobs: drawJobs(seed, index, major),
  }
}

function countSnapshots(namespaces: readonly Namespace[], nowMs: number): number {
  let count = 0
  for (const { groups } of namespaces) {
    for (const { snapshots } of groups(nowMs)) count += snapshots.length
  }
  return count
}
