/**
 * Fields that a recorded answer always has and ours lacks. Lists are compared item by item, mixed lists by the `type` of
 * their items. `except` names paths as they are reported; `*` matches everything below.
 */
export function shapeDifferences(recorded: unknown, ours: unknown, except: readonly string[]): string[] {
  const found = new Set<string>()
  compare(recorded, ours, '', (at, problem) => {
    const excused = except.some((pattern) =>
      pattern.endsWith('*') ? at.startsWith(pattern.slice(0, -1)) : at === pattern,
    )
    if (!excused) found.add(`${at} ${problem}`)
  })
  return [...found]
}

type Report = (at: string, problem: string) => void

function compare(recorded: unknown, ours: unknown, at: string, report: Report): void {
  const [expected, actual] = [kindOf(recorded), kindOf(ours)]
  if (expected !== actual) return report(at, `is ${actual}, recorded ${expected}`)
  if (Array.isArray(recorded) && Array.isArray(ours)) return compareLists(recorded, ours, at, report)
  if (!isRecord(recorded) || !isRecord(ours)) return
  for (const [key, value] of Object.entries(recorded)) {
    const fieldPath = `${at}.${key}`
    if (ours[key] === undefined) report(fieldPath, 'is missing')
    else compare(value, ours[key], fieldPath, report)
  }
}

function compareLists(recorded: unknown[], ours: unknown[], at: string, report: Report): void {
  const mixed = new Set(recorded.filter(isRecord).map(({ type }) => type)).size > 1
  const labelOf = (item: unknown) =>
    isRecord(item) && (mixed || item.type === 'storage' || item.type === 'vzdump') ? String(item.type) : ''
  const groups = Map.groupBy(recorded, labelOf)
  for (const [label, items] of groups) {
    const itemPath = `${at}[${label}]`
    const always = items.reduce((left, right) => common(left, right))
    for (const item of ours) if (labelOf(item) === label) compare(always, item, itemPath, report)
  }
}

/** Fields that two recorded items share. */
function common(left: unknown, right: unknown): unknown {
  if (!isRecord(left) || !isRecord(right)) return left
  const entries = Object.entries(left).filter(([key, value]) => kindOf(value) === kindOf(right[key]))
  return Object.fromEntries(entries.map(([key, value]) => [key, common(value, right[key])]))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
