import { freshMs } from './age.ts'
import type { ClusterContext } from './context.ts'
import type { AskNode, NodeRun, Part, WatchedNode } from './part.ts'
import { Rotation } from './rotation.ts'
import { readList, readOne } from './schema.ts'
import { PveZfsDetail, PveZfsPool } from './schema-disks.ts'
import { healthOf, sizesOf, type PoolFacts } from './zfs.ts'

const NAME = 'zfs'
const minute = 60_000
/** The list of all pools, and the report of each. */
const intervalMs = 2 * minute
/** A host without ZFS will not have it until an administrator sets it up. */
const withoutMs = 60 * minute
/** The pause between two calls, and the interval of checks which pool is due. */
const gapMs = 250
const lookMs = 10_000
/** The limit per node. */
const mostPools = 100
const limits = { headersMs: 25_000, totalMs: 30_000, maxBytes: 2 * 1024 * 1024 }
/** The list's key among the pools. No pool has an empty name. */
const LIST = ''

/** The pools of each node: the state of all, and the devices and errors of each. */
export const zfs: Part = {
  name: NAME,
  flags: ['monitorStorage'],
  isWanted: ({ withoutZfs = false }) => !withoutZfs,
  calls: {},
  start: (context) => ({
    node: (node, ask) => watch(context, node, ask),
    forget(left) {
      if ('node' in left) context.storages.forgetPools(left.node)
    },
  }),
}

function watch(context: ClusterContext, { name }: WatchedNode, ask: AskNode): NodeRun {
  const { clock, storages } = context
  const turns = new Rotation<string>()
  let pools: readonly PoolFacts[] = []
  /** the last time that the list contradicted a pool's report; monotonic */
  const changedAt = new Map<string, number>()

  const next = () =>
    turns.next(
      name,
      [LIST, ...pools.map((pool) => pool.name)],
      pools.length === 0 ? withoutMs : intervalMs,
      (pool) => changedAt.get(pool) ?? -Infinity,
    )

  async function list(signal: AbortSignal): Promise<number> {
    const { data, at } = await ask('/disks/zfs', signal, limits)
    const known = new Map(pools.map((pool) => [pool.name, pool]))
    const listed = readList(PveZfsPool, data, `/nodes/${name}/disks/zfs`).slice(0, mostPools)
    pools = listed.map((pool) => {
      const before = known.get(pool.name)
      const state = healthOf(pool)
      if (before && before.state !== state) changedAt.set(pool.name, at)
      return { name: pool.name, state, sizes: sizesOf(pool), detail: before?.detail, at }
    })
    const names = new Set(pools.map((pool) => pool.name))
    for (const gone of known.keys()) {
      if (names.has(gone)) continue
      turns.forget(gone)
      changedAt.delete(gone)
    }
    return at
  }

  async function report(pool: string, signal: AbortSignal): Promise<number> {
    const path = `/disks/zfs/${encodeURIComponent(pool)}`
    const { data, at } = await ask(path, signal, limits)
    const detail = readOne(PveZfsDetail, data, `/nodes/${name}${path}`)
    pools = pools.map((one) =>
      one.name === pool ? { ...one, detail, state: detail.state ?? one.state, at } : one,
    )
    return at
  }

  return {
    loops: [
      {
        name: NAME,
        intervalMs: gapMs,
        firstAfterMs: 3_000,
        deadlineMs: limits.totalMs + 5_000,
        isSlow: true,
        hold: () => Math.min(lookMs, Math.max(0, next()!.at - clock.monotonic())),
        async run(signal) {
          const { key } = next()!
          turns.begin(name, key, clock.monotonic())
          try {
            const at = await (key === LIST ? list(signal) : report(key, signal))
            turns.answered(key)
            storages.learnPools(name, pools, 2 * intervalMs + freshMs.late)
            return at
          } catch (cause) {
            turns.missed(key, clock.monotonic(), intervalMs)
            throw cause
          }
        },
        failed(error, _failures, report) {
          // `zfsutils-linux not installed`
          if (error.code === 'server' && /not installed/.test(error.said)) return withoutMs
          storages.failPools(name)
          return report() ?? minute
        },
      },
    ],
  }
}
