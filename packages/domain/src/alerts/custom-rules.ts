import {
  type AlertMetric,
  type CustomRule,
  figures,
  type Guest,
  type MetricOfKind,
  metricsOfKind,
  thresholdValue,
} from '@pulse/contract'

type Filter = CustomRule['filterConditions']['filters'][number]

/** Figures closer than this are equal. */
const near = 0.5

/** The matching rule with the highest priority supplies the thresholds of a guest. */
export function customRuleFor(rules: readonly CustomRule[], guest: Guest): CustomRule | undefined {
  let best: CustomRule | undefined
  for (const rule of rules)
    if (rule.enabled && (!best || rule.priority > best.priority) && fits(rule, guest)) best = rule
  return best
}

/** The enabled rules that depend on a figure. */
export const rulesOn = (rules: readonly CustomRule[], metric: AlertMetric): CustomRule[] =>
  rules.filter(
    ({ enabled, filterConditions: { filters } }) =>
      enabled && filters.some(({ type, field }) => type === 'metric' && field === metric),
  )

function fits({ filterConditions: { filters, logicalOperator } }: CustomRule, guest: Guest): boolean {
  if (filters.length === 0) return true
  return logicalOperator === 'OR'
    ? filters.some((filter) => passes(filter, guest))
    : filters.every((filter) => passes(filter, guest))
}

function passes(filter: Filter, guest: Guest): boolean {
  if (filter.type === 'metric') return passesMetric(filter, guest)
  const sought = String(filter.type === 'raw' ? (filter.rawText ?? '') : (filter.value ?? '')).toLowerCase()
  return textsOf(filter, guest).some((text) => text.toLowerCase().includes(sought))
}

function textsOf({ type, field }: Filter, { id, name, node, vmid, status }: Guest): string[] {
  if (type === 'raw') return [name, id, node, status]
  const texts: Readonly<Record<string, string>> = { name, node, vmid: String(vmid) }
  return field !== undefined && Object.hasOwn(texts, field) ? [texts[field]!] : []
}

function passesMetric({ field, operator, value }: Filter, guest: Guest): boolean {
  const figure = figureOf(field, guest)
  const limit = Number(value)
  if (figure === undefined || Number.isNaN(limit)) return false
  switch (operator) {
    case '>':
      return figure > limit
    case '<':
      return figure < limit
    case '>=':
      return figure >= limit
    case '<=':
      return figure <= limit
    case '=':
      return Math.abs(figure - limit) <= near
    default:
      return false
  }
}

const isMetric = (field: string | undefined): field is MetricOfKind<'guests'> =>
  (metricsOfKind.guests as readonly (string | undefined)[]).includes(field)

const figureOf = (field: string | undefined, guest: Guest): number | undefined =>
  isMetric(field) ? thresholdValue(figures.guests[field], guest) : undefined
