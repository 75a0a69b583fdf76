import { freshMs } from './age.ts'
import type { Desk } from './desk.ts'
import { payOrOnce } from './first-look.ts'
import type { AskNode, NodeRun, Part, WatchedNode } from './part.ts'
import { readList, readOne } from './schema.ts'
import { PveZfsDetail, PveZfsPool } from './schema-disks.ts'
import { healthOf, sizesOf, type PoolFacts } from './zfs.ts'

const NAME = 'zfs'
const minute = 60_000
const everyMs = 8.5 * minute
/** A host without ZFS will not have it before somebody sets it up. */
const withoutMs = 60 * minute
/** Of one node. */
const mostPools = 100
const limits = { headersMs: 25_000, totalMs: 30_000, maxBytes: 2 * 1024 * 1024 }

/** The pools of each node: how all of them are, in turns with one's devices and errors. */
export const zfs: Part = {
  name: NAME,
  flags: ['monitorStorage'],
  isWanted: ({ withoutZfs = false }) => !withoutZfs,
  calls: { node: 0.12 },
  callsUnlisted: { node: 0.1 },
  start: (desk) => ({
    node: (node, ask) => watch(desk, node, ask),
    forget(left) {
      if ('node' in left) desk.storages.forgetPools(left.node)
    },
  }),
}

function watch(desk: Desk, { name }: WatchedNode, ask: AskNode): NodeRun {
  const shares = desk.budget.node(name)
  let pools: readonly PoolFacts[] = []
  /** whose report is next; the list when there is none */
  let turn: string | undefined
  let triedAt = -Infinity
  /** in this round, and ever */
  const reported = new Set<string>()
  const asked = new Set<string>()

  async function list(signal: AbortSignal): Promise<number> {
    const { data, at } = await ask('/disks/zfs', signal, limits)
    const known = new Map(pools.map((pool) => [pool.name, pool]))
    const listed = readList(PveZfsPool, data, `/nodes/${name}/disks/zfs`).slice(0, mostPools)
    pools = listed.map((pool) => {
      const before = known.get(pool.name)
      return { name: pool.name, state: healthOf(pool), sizes: sizesOf(pool), detail: before?.detail, at }
    })
    const worse = pools.find((pool) => known.has(pool.name) && known.get(pool.name)!.state !== pool.state)
    const longest = pools.find((pool) => !reported.has(pool.name))
    if (!longest) reported.clear()
    turn = (worse ?? longest ?? pools[0])?.name
    return at
  }

  async function report(pool: string, signal: AbortSignal): Promise<number> {
    turn = undefined
    reported.add(pool)
    asked.add(pool)
    const path = `/disks/zfs/${encodeURIComponent(pool)}`
    const { data, at } = await ask(path, signal, limits)
    const detail = readOne(PveZfsDetail, data, `/nodes/${name}${path}`)
    pools = pools.map((one) =>
      one.name === pool ? { ...one, detail, state: detail.state ?? one.state, at } : one,
    )
    // The next of several is still to be seen for the first time.
    turn = pools.find((one) => !asked.has(one.name))?.name
    return at
  }

  const isFirst = () => (turn === undefined ? triedAt === -Infinity : !asked.has(turn))

  return {
    loops: [
      {
        name: NAME,
        everyMs: () => (isFirst() ? 1_000 : pools.length === 0 ? withoutMs : everyMs),
        firstAfterMs: 3_000,
        deadlineMs: limits.totalMs + 5_000,
        pay: () => payOrOnce(shares, NAME, isFirst()),
        async run(signal) {
          triedAt = desk.clock.monotonic()
          const at = await (turn === undefined ? list(signal) : report(turn, signal))
          desk.storages.learnPools(name, pools, 2 * pools.length * everyMs + freshMs.late)
          return at
        },
        failed(error, _failures, tell) {
          // `zfsutils-linux not installed`
          if (error.code === 'server' && /not installed/.test(error.said)) return withoutMs
          desk.storages.failPools(name)
          return tell() ?? minute
        },
      },
    ],
  }
}
