import {
  type Alert,
  alertTypeOf,
  type AnyRecord,
  type RecordKind,
  type TracedCondition,
} from '@pulse/contract'
import type { Tables } from '../state/tables.ts'
import { toIso } from './alert-record.ts'
import type { Condition, Moment } from './condition.ts'
import type { Dates, Evaluation } from './evaluation.ts'
import type { Subject } from './judging.ts'
import type { Lifecycle } from './lifecycle.ts'
import { overrideNames } from './override-key.ts'
import type { Step } from './stored.ts'
import type { Tracked, TrackedConditions } from './tracked.ts'

export interface Explained {
  tracked: TrackedConditions
  lifecycle: Lifecycle
  tables: Tables
  subjects: readonly Subject[]
  evaluation: Evaluation
  dates: Dates
  at: Moment
  /** why a record cannot be evaluated yet */
  unripe: (subject: Subject, key: string) => string | undefined
}

interface Candidate {
  subject: Subject
  key: string
  record: AnyRecord
}

/** Evaluates all rules again, to explain why a resource has an alert or has none. */
export function explain(what: string, asked: Explained): TracedCondition[] | undefined {
  const one = asked.tracked.get(what)
  const resolved = asked.lifecycle.resolved.get(what)
  const named = one ?? resolved?.stored
  if (named) {
    const { kind, record } = named
    const candidate = candidateOf(kind, record, asked)
    const all = candidate ? ask(candidate, asked) : []
    const own = all.filter(({ alertId }) => alertId === what)
    if (own.length > 0) return own
    if (one?.open)
      return [withoutRecord(one.open.alert, one.steps, 'held', 'No notification since Pulse started.')]
    return resolved
      ? [withoutRecord(resolved.stored.alert, resolved.stored.steps, 'normal', 'It is no longer there.')]
      : []
  }
  const candidates = candidatesOf(what, asked)
  return candidates.length > 0 ? candidates.flatMap((candidate) => ask(candidate, asked)) : undefined
}

function candidateOf(kind: RecordKind, key: string, { subjects, tables }: Explained): Candidate | undefined {
  const subject = subjects.find((one) => one.kind === kind)
  const record = tables[kind].get(key)
  return subject && record ? { subject, key, record } : undefined
}

/** Every record with this key or wire id, and the other records about the same resource. */
function candidatesOf(what: string, asked: Explained): Candidate[] {
  const { tables } = asked
  const found: Candidate[] = []
  const add = (candidate: Candidate | undefined) => {
    if (
      candidate &&
      !found.some(({ subject, key }) => subject === candidate.subject && key === candidate.key)
    )
      found.push(candidate)
  }
  for (const subject of asked.subjects)
    for (const [key, record] of tables[subject.kind]) {
      if (subject.concerns && !subject.concerns(record as never)) continue
      const names = [
        key,
        ...overrideNames(subject.kind, key, record),
        subject.resource(record as never, key, tables).id,
      ]
      if (names.includes(what)) add({ subject, key, record })
    }
  for (const [key, host] of tables.dockerHosts)
    if ([key, `docker:${host.id}`, ...overrideNames('dockerHosts', key, host)].includes(what))
      add(candidateOf('sources', key, asked))
  for (const { subject, key } of found)
    if (subject.kind === 'guests') add(candidateOf('protections', key, asked))
    else if (subject.kind === 'pbs' || subject.kind === 'pmg') add(candidateOf('sources', key, asked))
  return found
}

/** The rules may write to their memory: a normal evaluation would write the same values. */
function ask({ subject, key, record }: Candidate, asked: Explained): TracedCondition[] {
  const traced: TracedCondition[] = []
  const ignore = () => {}
  asked.evaluation.judge(
    subject,
    key,
    record,
    asked.dates,
    true,
    {
      tracks: () => true,
      emit: (_rule, condition) => void traced.push(trace(condition, asked)),
      skip: ignore,
      finish: ignore,
    },
    asked.unripe(subject, key),
  )
  return traced
}

function trace(condition: Condition, { tracked, lifecycle, at }: Explained): TracedCondition {
  const one = tracked.get(condition.id)
  const { pending, open } = one ?? {}
  const { delay, confirmations, origin, clear, threshold } = condition
  const { unit } = alertTypeOf(condition.type)
  const passedMs = pending ? at.monotonic - pending.sinceAt : open ? at.monotonic - open.beganAt : 0
  const isCleared = one?.cleared !== undefined && condition.verdict === 'bad'
  const steps = one?.steps ?? lifecycle.resolved.get(condition.id)?.stored.steps ?? []
  const since = open?.alert.startTime ?? (pending && toIso(pending.since))
  const level = (open?.alert.level as Condition['level'] | undefined) ?? condition.level
  const reason = isCleared
    ? 'It was cleared, and fires again after the condition has ended once.'
    : condition.reason
  return {
    alertId: condition.id,
    type: condition.type,
    resourceId: condition.resource.id,
    resourceName: condition.resource.name,
    state: stateOf(condition, one, isCleared),
    ...(condition.verdict !== 'held' || condition.value !== 0 ? { value: condition.value } : {}),
    ...(unit !== undefined && { unit }),
    ...(origin && threshold > 0 && { threshold: { trigger: threshold, clear: clear ?? threshold, origin } }),
    level,
    ...(level === 'critical' && { criticalBy: criticalBy(condition) }),
    ...(delay && {
      delay: { seconds: delay.seconds, passedSeconds: Math.floor(passedMs / 1000), origin: delay.origin },
    }),
    ...(confirmations !== undefined && {
      confirmations: { needed: confirmations, seen: open ? confirmations : (pending?.samples ?? 0) },
    }),
    ...(reason !== undefined && { reason }),
    ...(since !== undefined && { since }),
    evaluatedAt: toIso(one?.judgedAt ?? at.now),
    steps: steps.map(stepText),
  }
}

/** The critical limit. For a rule without a figure, a setting or the type makes it critical. */
function criticalBy({
  criticalAt,
  threshold,
  origin,
}: Condition): NonNullable<TracedCondition['criticalBy']> {
  const at = criticalAt ?? (threshold > 0 ? threshold : undefined)
  return { ...(at !== undefined && { at }), ...(origin && { origin }) }
}

function stateOf(
  { verdict, value }: Condition,
  one: Tracked | undefined,
  isCleared: boolean,
): TracedCondition['state'] {
  if (verdict === 'off') return 'off'
  if (verdict === 'held') return one?.open || value !== 0 ? 'held' : 'unknown'
  if (one?.open) return verdict === 'between' ? 'clearing' : 'active'
  if (isCleared) return 'suppressed'
  return verdict === 'bad' ? 'pending' : 'normal'
}

/** The trace of an alert without a record. */
const withoutRecord = (
  { id, type, resourceId, resourceName, value, level, startTime }: Alert,
  steps: readonly Step[],
  state: TracedCondition['state'],
  reason: string,
): TracedCondition => ({
  alertId: id,
  type,
  resourceId,
  resourceName,
  state,
  value,
  level: level === 'critical' ? 'critical' : 'warning',
  reason,
  since: startTime,
  steps: steps.map(stepText),
})

const stepText = ({ at, text }: Step): string => `${toIso(at)} ${text}`
