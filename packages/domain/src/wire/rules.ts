import { type Kind, kindOf, type RecordKind, type Rounding } from '@pulse/contract'

/** How one field is sent. A field without a rule is sent whole and exact. */
export interface FieldRule {
  /** not sent */
  dropped?: boolean
  round?: Round
  /** nested fields, sent separately */
  inner?: FieldRules
}
export type FieldRules = Map<string, FieldRule>

const compiled = new WeakMap<Kind, FieldRules>()

/** The rules of a kind, by field. */
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

/** Figures are rounded before they are compared and sent, because noise is not a change. */
type Round = (value: number) => number

/** The largest 1, 2 or 5 times a power of ten that keeps the error within `fraction` of the value. */
function niceStep(limit: number): number {
  const power = 10 ** Math.floor(Math.log10(limit))
  const lead = limit / power
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power
}

const relative =
  (fraction: number): Round =>
  (value) => {
    const limit = Math.abs(value) * fraction
    if (limit < 1) return Math.round(value)
    const step = niceStep(limit)
    return Math.round(value / step) * step
  }

const decimals = (digits: number): Round => {
  const scale = 10 ** digits
  return (value) => Math.round(value * scale) / scale
}

export const roundings: Record<Rounding, Round> = {
  rate: relative(0.01),
  bytes: relative(0.001),
  fraction: decimals(3),
  hundredth: decimals(2),
}
