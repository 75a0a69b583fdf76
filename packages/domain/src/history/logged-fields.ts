import { type Figure, figures, kindOf, type RecordKind, recordKinds } from '@pulse/contract'
import { isEqual } from '../state/patch.ts'
import { type SampledField, sampledFields } from './sampler.ts'

export type Fields = Record<string, unknown>

/** `omitted`: not in the log. `carried`: logged with the next change of another field beside it. Or rules of inner fields. */
type Rule = 'omitted' | 'carried' | Rules
type Rules = Map<string, Rule>

/** The kinds whose changes are logged: those that browsers get. */
export const loggedKinds = (): RecordKind[] =>
  recordKinds().filter((kind) => kindOf(kind).slice !== undefined)

const compiled = new Map<RecordKind, Rules>()

function rulesOf(kind: RecordKind): Rules {
  let rules = compiled.get(kind)
  if (!rules) compiled.set(kind, (rules = compile(kind)))
  return rules
}

/** Figures are in the samples, readers compute derived fields, and the contract names the other passing fields. */
function compile(kind: RecordKind): Rules {
  const { round = {}, derived = {}, keptBack = [], passing = {} } = kindOf(kind)
  const rules: Rules = new Map()
  const sampled = restoredFields(kind).map(({ path }) => path)
  for (const path of [...Object.keys(round), ...Object.keys(derived), ...keptBack, ...sampled])
    putRule(rules, path.split('.'), 'omitted')
  for (const [path, word] of Object.entries(passing))
    putRule(rules, path.split('.'), word === 'carried' ? 'carried' : 'omitted')
  return rules
}

function putRule(rules: Rules, [field, ...rest]: string[], rule: 'omitted' | 'carried') {
  if (rest.length === 0) {
    rules.set(field!, rule)
    return
  }
  const known = rules.get(field!)
  const inner: Rules = known instanceof Map ? known : new Map()
  rules.set(field!, inner)
  putRule(inner, rest, rule)
}

export interface RestoredField {
  figure: SampledField
  path: string
}

/** The fields of a kind that samples restore. */
export const restoredFields = (kind: RecordKind): RestoredField[] =>
  sampledFields.flatMap((figure) => {
    if (figure.kind !== kind) return []
    const ofKind = figures[kind as keyof typeof figures] as unknown as Record<string, Figure<never>>
    const path = ofKind[figure.name]!.field
    return path === undefined ? [] : [{ figure, path }]
  })

/** The fields of a record that the log has. */
export const toLogged = (kind: RecordKind, record: object): Fields => strip(record as Fields, rulesOf(kind))

function strip(record: Fields, rules: Rules): Fields {
  const result: Fields = {}
  for (const field in record) {
    const value = record[field]
    if (value === undefined) continue
    const rule = rules.get(field)
    if (rule !== 'omitted') result[field] = rule instanceof Map ? stripped(value, rule) : value
  }
  return result
}

function stripped(value: unknown, rules: Rules): unknown {
  if (Array.isArray(value)) return value.map((one) => stripped(one, rules))
  return isFields(value) ? strip(value, rules) : value
}

/** What changed, by field; null: it has no value any more. Undefined without a change that is logged. */
export function loggedChange(kind: RecordKind, before: object, after: object): Fields | undefined {
  const rules = rulesOf(kind)
  const [old, now] = [before as Fields, after as Fields]
  let change: Fields | undefined
  for (const field in now) {
    const value = now[field]
    if (old[field] === value || isSameField(old[field], value, rules.get(field))) continue
    change ??= {}
    const rule = rules.get(field)
    if (value === undefined) change[field] = null
    else change[field] = rule instanceof Map ? stripped(value, rule) : value
  }
  for (const field in old)
    if (!(field in now) && !isSameField(old[field], undefined, rules.get(field)))
      (change ??= {})[field] = null
  if (change) for (const field in now) if (rules.get(field) === 'carried') change[field] = now[field] ?? null
  return change
}

/** A field that is not logged is always the same. */
function isSameField(before: unknown, after: unknown, rule: Rule | undefined): boolean {
  if (typeof rule === 'string' || Object.is(before, after)) return true
  if (!rule) return isEqual(before, after)
  if (Array.isArray(before) && Array.isArray(after))
    return before.length === after.length && before.every((one, n) => isSameField(one, after[n], rule))
  if (!isFields(before) || !isFields(after)) return false
  for (const field in after) if (!isSameField(before[field], after[field], rule.get(field))) return false
  for (const field in before)
    if (!(field in after) && !isSameField(before[field], undefined, rule.get(field))) return false
  return true
}

/** The record with the changed fields. */
export function withChange(record: Fields, change: Fields): Fields {
  const result = { ...record, ...change }
  for (const field in change) if (change[field] === null) delete result[field]
  return result
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
