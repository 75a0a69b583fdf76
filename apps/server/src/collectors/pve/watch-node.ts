import { Breaker } from '../../polling/breaker.ts'
import { startLoop, type Loop } from '../../polling/loop.ts'
import { deadlineFor } from '../source.ts'
import { toSourceError, type SourceError } from '../source-error.ts'
import { freshMs } from './age.ts'
import { storageLimits } from './client.ts'
import { SOON_MS, STAGGER_MS, type Desk } from './desk.ts'
import { nodeBudget } from './gateway.ts'
import type { GuestFacts } from './guest-facts.ts'
import { lacksCacheFields } from './memory.ts'
import { readNodeList } from './node-list.ts'
import { partFailed } from './part.ts'
import { ProbeLane, type ProbedNode } from './probe-lane.ts'
import type { ProbePlan } from './probe-plan.ts'
import { PveNodeStatus, PveNodeStorage, PveRrdPoint, readList, readLooseList, readOne } from './schema.ts'

/** Everything that is asked of one node. */
export interface NodeWatch {
  syncGuests(guests: readonly GuestFacts[]): void
  /** It was lost and may be back: its pauses are over. */
  retry(): void
  /** The cluster does not list its guests: it is to do so itself. */
  listGuests(): void
  refresh(): void
  stop(): Promise<void>
}

const callsPerMinute = 4
const shutMs = 10_000
const listingMs = 60_000
const rrdLimits = { headersMs: 4_000, totalMs: 5_000, maxBytes: 1024 * 1024 }
const rrdPauseMs = { first: 120_000, longest: 1_800_000 }

/** Nothing came back, or only that there is nobody behind the address: a failure of the node, and not of the question. */
const isSilence = ({ code, isPathFault }: SourceError) =>
  isPathFault || code === 'timeout' || code === 'node_offline' || code === 'rate_limited'

const withheldBy = (name: string, { code }: SourceError) =>
  code === 'forbidden'
    ? `Sys.Audit is missing on /nodes/${name}: its processor, memory, disk and versions stay unknown`
    : `${name} does not know /nodes/${name}/status: its memory, disk and versions are not exact`

export function watchNode(desk: Desk, name: string, index: number, plans: Map<number, ProbePlan>): NodeWatch {
  const { clock, budget, gateway, health, nodes, guests, storages, publish } = desk
  const log = desk.log.child({ node: name })
  const breaker = new Breaker(clock)
  const key = nodeBudget(name)
  budget.limit(key, callsPerMinute)
  let rrdRetryAt = 0
  let rrdPause = rrdPauseMs.first

  const isShut = () => desk.isRefused() || nodes.get(name)?.listedStatus === 'offline'
  /** Held while the node is down, while it is being tried by its status, and while the budget is used up. */
  const hold = () => {
    if (isShut()) return shutMs
    if (breaker.state !== 'closed') return breaker.waitMs() + 1_000
    return budget.take(key)
  }
  const holdStatus = () => {
    if (isShut()) return shutMs
    if (breaker.waitMs() > 0) return breaker.waitMs()
    const waitMs = budget.take(key)
    if (waitMs === 0) breaker.enter()
    return waitMs
  }
  const ask = (path: string, signal: AbortSignal, limits = {}) =>
    gateway.node(name, path, { budget: key, signal, ...limits })
  const failed = (part: string) => (cause: unknown) => partFailed(desk, `${name} ${part}`, cause)
  const answered = (part: string, at: number) => {
    lane.answeredAt = at
    health.answered(`${name} ${part}`, at)
  }
  const forget = () => {
    for (const part of ['status', 'storage', 'guests']) health.forget(`${name} ${part}`)
  }
  const setSilent = (silent: boolean, reason = '') => {
    if ((nodes.get(name)?.silent ?? false) === silent) return
    nodes.setSilent(name, silent)
    if (silent) desk.outages.lost(`node ${name}`, reason)
    else desk.outages.found(`node ${name}`)
  }

  const status = startLoop({
    clock,
    log,
    everyMs: () => (desk.listsByNode() ? listingMs : 30_000), // leaves the budget to the lists
    firstAfterMs: index * STAGGER_MS,
    deadlineMs: () => deadlineFor(desk.pace()),
    hold: holdStatus,
    async run(signal) {
      const { data, at } = await ask('/status', signal)
      nodes.learnStatus(name, readOne(PveNodeStatus, data, `/nodes/${name}/status`), at)
      answered('status', at)
      breaker.succeed()
      setSilent(false)
      publish(SOON_MS)
    },
    failed(cause, failures) {
      const error = toSourceError(cause)
      if (isSilence(error)) breaker.fail()
      else breaker.succeed() // it keeps this back, which says nothing about its guests
      if (error.isRefusal) {
        setSilent(false)
        nodes.withhold(name, withheldBy(name, error))
      } else if (failures >= 3) setSilent(true, error.message)
      return failed('status')(cause)
    },
  })

  const storage = startLoop({
    clock,
    log,
    everyMs: 60_000,
    firstAfterMs: 100 + index * STAGGER_MS,
    deadlineMs: 70_000,
    hold: () => (desk.flags.monitorStorage ? hold() : 3_600_000),
    async run(signal) {
      const { data, at } = await ask('/storage', signal, { limits: storageLimits })
      storages.report(name, readList(PveNodeStorage, data, `/nodes/${name}/storage`), at)
      answered('storage', at)
      publish(SOON_MS)
    },
    failed: failed('storage'),
  })

  const rrd = startLoop({
    clock,
    log,
    everyMs: 60_000,
    firstAfterMs: 200 + index * STAGGER_MS,
    deadlineMs: 10_000,
    hold() {
      const memory = nodes.get(name)?.status?.memory
      if (!memory || !lacksCacheFields(memory) || desk.listsByNode()) return 15_000
      return rrdRetryAt > clock.monotonic() ? rrdRetryAt - clock.monotonic() : hold()
    },
    async run(signal) {
      const { data, at } = await ask('/rrddata?timeframe=hour&cf=AVERAGE', signal, { limits: rrdLimits })
      lane.answeredAt = at
      const point = readLooseList(PveRrdPoint, data).findLast((entry) => entry.memavailable !== undefined)
      if (point?.memavailable !== undefined) {
        nodes.learnRrd(name, { available: point.memavailable }, at)
        rrdPause = rrdPauseMs.first
        publish(SOON_MS)
      } else {
        // Releases before 9 do not record it, and will not before their next upgrade.
        rrdRetryAt = at + rrdPause
        rrdPause = Math.min(rrdPause * 2, rrdPauseMs.longest)
      }
    },
    failed: () => rrdPauseMs.first, // `used` stands in; the status says whether the node answers
  })

  const listing = startLoop({
    clock,
    log,
    everyMs: listingMs,
    firstAfterMs: index * SOON_MS,
    deadlineMs: () => 2 * deadlineFor(desk.pace()),
    hold() {
      if (!desk.listsByNode()) return shutMs
      const waitMs = hold()
      if (waitMs > 0) return waitMs
      const secondMs = budget.take(key)
      if (secondMs > 0) budget.giveBack(key)
      return secondMs
    },
    async run(signal) {
      const vms = await ask('/qemu', signal)
      const containers = await ask('/lxc', signal)
      const entries = [...listed('qemu', vms.data), ...listed('lxc', containers.data)]
      guests.list(entries, containers.at, name)
      answered('guests', containers.at)
      health.listed(containers.at, freshMs.nodeGuests)
      publish(SOON_MS)
    },
    failed: failed('guests'),
  })

  /** These lists know the host's view only: cpu is 0 for most guests, so the last known one stands in. */
  const listed = (type: 'qemu' | 'lxc', data: unknown) =>
    readNodeList(type, name, data).map((entry) => ({
      ...entry,
      cpu: entry.cpu || guests.get(entry.vmid)?.raw.cpu,
    }))

  const lane: ProbedNode = { name, breaker, answeredAt: 0, suspect: () => breaker.fail() }
  const probes = new ProbeLane(desk, lane, plans)
  const loops: Loop[] = [status, storage, rrd, listing]

  return {
    syncGuests(running) {
      // Its state says that it is off; what could not be asked of it is no news then.
      if (nodes.get(name)?.listedStatus === 'offline') forget()
      probes.sync(running)
    },
    retry() {
      breaker.succeed()
      for (const loop of [status, storage]) loop.refresh()
    },
    listGuests: () => listing.refresh(),
    refresh() {
      for (const loop of loops) loop.refresh()
    },
    async stop() {
      await Promise.all([...loops.map((loop) => loop.stop()), probes.stop()])
      forget()
      desk.outages.found(`node ${name}`)
      budget.drop(key)
    },
  }
}
