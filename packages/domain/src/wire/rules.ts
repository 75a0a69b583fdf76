import { type Kind, kindOf, type RecordKind } from '@pulse/contract'
import { type Round, roundings } from './round.ts'

/** How one field travels; one without a rule travels whole and exact. */
export interface FieldRule {
  /** it does not */
  dropped?: boolean
  round?: Round
  /** its own fields travel one by one */
  inner?: FieldRules
}
export type FieldRules = Map<string, FieldRule>

const compiled = new WeakMap<Kind, FieldRules>()

/** What the table says of a kind, by field. */
export function rulesOf(kind: RecordKind): FieldRules {
  const entry = kindOf(kind)
  let rules = compiled.get(entry)
  if (!rules) compiled.set(entry, (rules = compile(entry)))
  return rules
}

function compile({ round = {}, nested = [], derived = {}, keptBack = [] }: Kind): FieldRules {
  const rules: FieldRules = new Map()
  for (const field of nested) rules.set(field, { inner: new Map() })
  for (const [path, rounding] of Object.entries(round)) ruleAt(rules, path).round = roundings[rounding]
  for (const path of [...Object.keys(derived), ...keptBack]) ruleAt(rules, path).dropped = true
  return rules
}

function ruleAt(rules: FieldRules, path: string): FieldRule {
  const dot = path.indexOf('.')
  const field = dot < 0 ? path : path.slice(0, dot)
  let rule = rules.get(field)
  if (!rule) rules.set(field, (rule = {}))
  return dot < 0 ? rule : ruleAt((rule.inner ??= new Map()), path.slice(dot + 1))
}
