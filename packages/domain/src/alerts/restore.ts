import { kinds } from '@pulse/contract'
import type { Moment } from './condition.ts'
import { reopenMs } from './resolved-alerts.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { KeptByRules } from './rule-memory.ts'
import type { StoredRuntime } from './runtime.ts'
import type { EngineSnapshot, Restored, StoredCleared, StoredGone } from './stored.ts'
import { clearedOf, storedOf, type Tracked, type TrackedConditions } from './tracked.ts'

export interface Parts {
  tracked: TrackedConditions
  lifecycle: Lifecycle
  kept: KeptByRules
  at: Moment
}

/** Takes up what was kept, and tells when to look at what of it. Nothing of it happens again. */
export function restore(
  restored: Restored | undefined,
  { tracked, lifecycle, kept, at, unseenMs }: Parts & { unseenMs: number },
): [string, number][] {
  const due: [string, number][] = []
  if (!restored) return due
  const offset = at.now - at.monotonic
  const { alerts, gone = [], memory } = restored
  kept.restore(memory?.rules ?? {})
  lifecycle.flapping.restore(memory?.flapping ?? {}, at.now, offset)
  lifecycle.gone.restore([...(memory?.gone ?? []), ...gone], at.now, offset)
  for (const { alert, steps, ...stored } of alerts) {
    const { id } = alert
    // Another version knew a kind of record that this one does not.
    if (!Object.hasOwn(kinds, stored.kind)) continue
    lifecycle.gone.take(id)
    const beganAt = Math.min(at.monotonic, Date.parse(alert.startTime) - offset)
    const { kind, record, source, rule, episode, trigger, flappingUntil, repeats } = stored
    const seen = Math.min(at.now, Date.parse(alert.lastSeen ?? alert.startTime))
    const one = tracked.add({
      id,
      kind,
      record,
      source,
      rule,
      stamp: 0,
      steps: [...steps],
      isRestored: true,
      open: {
        alert,
        episode,
        trigger,
        beganAt,
        seen,
        toldAt: at.monotonic,
        flappingUntil,
        repeats,
        noReminder: true,
      },
    })
    lifecycle.active.set(id, alert)
    if (one.source !== '')
      lifecycle.bound.opened(one, alert.level === 'critical' ? 'critical' : 'warning', alert.acknowledged)
    due.push([`unseen ${id}`, at.monotonic + unseenMs])
  }
  for (const one of clearedIn(memory?.cleared ?? [], gone)) {
    const { id, kind, record, source, rule, level, node } = one
    if (tracked.get(id) || !Object.hasOwn(kinds, kind)) continue
    const cleared: Tracked = {
      id,
      kind,
      record,
      source,
      rule,
      stamp: 0,
      steps: [],
      isRestored: true,
      cleared: { level, node },
    }
    tracked.add(cleared)
    due.push([`unseen ${id}`, at.monotonic + unseenMs])
  }
  for (const id of lifecycle.gone.keys())
    due.push([`gone ${id}`, Math.max(at.monotonic, (lifecycle.gone.get(id)?.endedAt ?? 0) + reopenMs)])
  for (const [id, until] of lifecycle.flapping.latched()) due.push([`flapping ${id}`, until])
  return due
}

/** What was cleared shortly before a kill is known by its row alone. */
function clearedIn(cleared: readonly StoredCleared[], gone: readonly StoredGone[]): readonly StoredCleared[] {
  const rows = gone.flatMap(({ ending, stored: { alert, kind, record, source, rule } }) =>
    ending === 'cleared'
      ? [{ id: alert.id, kind, record, source, rule, level: alert.level, node: alert.node }]
      : [],
  )
  return [...cleared, ...rows]
}

export function snapshot({ tracked, lifecycle, kept, at }: Parts, runtime: StoredRuntime): EngineSnapshot {
  const offset = at.now - at.monotonic
  return {
    alerts: [...tracked.all()].flatMap((one) => (one.open ? [storedOf(one, one.open)] : [])),
    memory: {
      gone: lifecycle.gone.store(offset),
      flapping: lifecycle.flapping.store(offset),
      rules: kept.store(),
      cleared: [...tracked.all()].flatMap(clearedOf),
      // Where nothing is kept by it, time that passes is nothing to store.
      ...(kept.size > 0 && { runtime }),
    },
  }
}
