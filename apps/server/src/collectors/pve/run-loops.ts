import { startLoop, type Loop } from '../../polling/loop.ts'
import { deadlineFor } from '../source.ts'
import { toSourceError } from '../source-error.ts'
import { SOON_MS, STAGGER_MS, type Desk, type Wake } from './desk.ts'
import { questionFailed, REFUSED_MS } from './failed.ts'
import type { Part, PartLoop, WatchedNode } from './part.ts'
import type { SlowLooks } from './slow-looks.ts'

/** Loops of one part that run together: for the whole cluster, or for one node. */
export interface RunningLoops {
  wake(why: Wake): void
  refresh(): void
  /** They say nothing about what there is now. */
  forgetFailures(): void
  stop(): Promise<void>
}

/** Until a slow look is tried again while too many calls are under way. */
const crowdedMs = 100
/** Until it is looked again whether a node is there. */
const shutMs = 10_000

export function runLoops(
  desk: Desk,
  part: Part,
  plans: readonly PartLoop[],
  node?: WatchedNode,
): RunningLoops {
  const loops = plans.map((plan) => ({ plan, loop: runLoop(desk, part, plan, node) }))
  const forgetFailures = () => {
    for (const plan of plans) desk.health.forget(questionOf(plan, node))
  }
  const isWokenBy = (plan: PartLoop, why: Wake) =>
    why === 'allowed'
      ? desk.health.errorOf(questionOf(plan, node))?.code === 'forbidden'
      : (plan.wakes ?? ['back']).includes(why)
  return {
    wake(why) {
      for (const { plan, loop } of loops) if (isWokenBy(plan, why)) loop.refresh()
    },
    refresh() {
      for (const { loop } of loops) loop.refresh()
    },
    forgetFailures,
    async stop() {
      await Promise.all(loops.map(({ loop }) => loop.stop()))
      forgetFailures()
    },
  }
}

const questionOf = ({ name }: PartLoop, node?: WatchedNode) => (node ? `${node.name} ${name}` : name)

function runLoop(desk: Desk, part: Part, plan: PartLoop, node?: WatchedNode): Loop {
  const { clock, budget, health } = desk
  const question = questionOf(plan, node)
  const shares = node ? budget.node(node.name) : budget.cluster
  const slow = plan.isSlow && node ? budget.slow(node.name) : undefined
  const pay = plan.pay ?? (slow ? () => paySlow(slow, node!.name) : () => shares.take(part.name))
  return startLoop({
    clock,
    log: desk.log,
    everyMs: plan.everyMs,
    firstAfterMs:
      (plan.firstAfterMs ?? 0) +
      Math.max(0, desk.startAt - clock.monotonic()) +
      (node?.index ?? 0) * STAGGER_MS,
    deadlineMs: plan.deadlineMs ?? (() => deadlineFor(desk.pace())),
    hold: () => (node ? shutFor(desk, plan, node) : closedFor(desk, plan)) || plan.hold?.() || enter(),
    async run(signal) {
      const at = await plan.run(signal).finally(() => slow?.leave())
      if (at === undefined) return
      health.answered(question, at)
      desk.publish(SOON_MS)
    },
    failed(cause, failures) {
      const tell = () => questionFailed(desk, question, cause)
      return plan.failed ? plan.failed(toSourceError(cause), failures, tell) : tell()
    },
  })

  /** The lists and the guests come first. */
  function paySlow(looks: SlowLooks, name: string): number {
    return desk.gateway.hasRoom(name) && looks.enter() ? 0 : crowdedMs
  }

  function enter(): number {
    const waitMs = pay()
    if (waitMs === 0 && plan.isTrial) node?.breaker.enter()
    return waitMs
  }
}

/** Milliseconds until something of the cluster may be asked. */
function closedFor(desk: Desk, { isTrial }: PartLoop): number {
  return desk.isRefused() && !isTrial ? REFUSED_MS : desk.endpoints.waitMs()
}

/** While the node is down, and while it is being tried by its status. */
function shutFor(desk: Desk, { isTrial }: PartLoop, { name, breaker }: WatchedNode): number {
  if (desk.isRefused() || desk.nodes.get(name)?.listedStatus === 'offline') return shutMs
  if (isTrial) return breaker.waitMs()
  return breaker.state === 'closed' ? 0 : breaker.waitMs() + 1_000
}
