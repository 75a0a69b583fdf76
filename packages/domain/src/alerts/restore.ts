import { kinds } from '@pulse/contract'
import type { Moment } from './condition.ts'
import { reopenMs } from './resolved-alerts.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { KeptByRules } from './rule-memory.ts'
import type { StoredRuntime } from './runtime.ts'
import type { EngineSnapshot, Restored, StoredCleared, StoredResolved } from './stored.ts'
import { clearedOf, storedOf, type Tracked, type TrackedConditions } from './tracked.ts'

export interface Parts {
  tracked: TrackedConditions
  lifecycle: Lifecycle
  kept: KeptByRules
  at: Moment
}

/** Restores the stored state without repeating any change. Returns when each restored entry is due. */
export function restore(
  restored: Restored | undefined,
  { tracked, lifecycle, kept, at, unconfirmedMs }: Parts & { unconfirmedMs: number },
): [string, number][] {
  const due: [string, number][] = []
  if (!restored) return due
  const offset = at.now - at.monotonic
  const { alerts, gone = [], memory } = restored
  kept.restore(memory?.rules ?? {})
  lifecycle.flapping.restore(memory?.flapping ?? {}, at.now, offset)
  lifecycle.resolved.restore([...(memory?.gone ?? []), ...gone], at.now, offset)
  for (const { alert, steps, ...stored } of alerts) {
    const { id } = alert
    // Another version stored a record kind that this version does not have.
    if (!Object.hasOwn(kinds, stored.kind)) continue
    lifecycle.resolved.take(id)
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
        reportedAt: at.monotonic,
        flappingUntil,
        repeats,
        noReminder: true,
      },
    })
    lifecycle.active.set(id, alert)
    if (one.source !== '')
      lifecycle.bound.opened(one, alert.level === 'critical' ? 'critical' : 'warning', alert.acknowledged)
    due.push([`unconfirmed ${id}`, at.monotonic + unconfirmedMs])
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
    due.push([`unconfirmed ${id}`, at.monotonic + unconfirmedMs])
  }
  for (const id of lifecycle.resolved.keys())
    due.push([
      `resolved ${id}`,
      Math.max(at.monotonic, (lifecycle.resolved.get(id)?.endedAt ?? 0) + reopenMs),
    ])
  for (const [id, until] of lifecycle.flapping.latched()) due.push([`flapping ${id}`, until])
  return due
}

/** After a kill, only its row proves that an alert was cleared shortly before. */
function clearedIn(
  cleared: readonly StoredCleared[],
  gone: readonly StoredResolved[],
): readonly StoredCleared[] {
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
      gone: lifecycle.resolved.store(offset),
      flapping: lifecycle.flapping.store(offset),
      rules: kept.store(),
      cleared: [...tracked.all()].flatMap(clearedOf),
      // The runtime is only needed for values that rules stored.
      ...(kept.size > 0 && { runtime }),
    },
  }
}
