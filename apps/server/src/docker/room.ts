import type { Host } from './host.ts'
import type { ReadReport } from './read-report.ts'

/** What all hosts together may hold: a full house of 1,000 hosts with 50 containers each, told at some length. */
export const most = { containers: 50_000, characters: 64_000_000 }

/** The report as far as there is room for it beside those of the other hosts; what is left out is said. */
export function fitted(
  report: ReadReport,
  others: Iterable<Pick<Host, 'containers' | 'kept'>>,
  limits = most,
): ReadReport {
  let containers = 0
  let characters = 0
  for (const host of others) {
    containers += host.containers.size
    characters += host.kept
  }
  const cut = new Set(report.cut)
  let taken = [...report.containers]
  if (containers + taken.length > limits.containers) {
    taken = taken.slice(0, Math.max(0, limits.containers - containers))
    cut.add('containers')
  }
  let kept = report.kept
  if (characters + kept > limits.characters) {
    taken = taken.map(([name, { labels: _labels, ports: _ports, networks: _networks, ...rest }]) => [
      name,
      rest,
    ])
    for (const what of ['labels', 'ports', 'networks'] as const) cut.add(what)
    kept = 0
  }
  if (cut.size === report.cut.length && taken.length === report.containers.size) return report
  return { ...report, containers: new Map(taken), cut: [...cut].sort(), kept }
}
