import type { Alert } from '@pulse/contract'
import { isOfSites, nodeText, siteTerms } from '@pulse/domain'
import { compareValues } from '../../../ui/table/sort.ts'
import { typeText } from '../type-text.ts'

export interface AlertFilter {
  search: string
  level: 'all' | 'critical' | 'warning'
  /** `all`, or a type's label */
  kind: string
  /** `all`, or a node name */
  node: string
}

export const noFilter: AlertFilter = { search: '', level: 'all', kind: 'all', node: 'all' }

export type AlertGrouping = 'none' | 'cause' | 'node'

interface Arrangement {
  filter: AlertFilter
  grouping: AlertGrouping
  showsAcknowledged: boolean
}

export interface Arranged {
  /** alert ids and group keys, top to bottom */
  rows: readonly string[]
  /** by group key */
  groups: ReadonlyMap<string, AlertGroup>
  /** matching alerts without an acknowledgement */
  unacknowledged: readonly string[]
  /** of all alerts, filtered or not */
  counts: { active: number; acknowledged: number }
  /** number of matching alerts, shown or not */
  found: number
}

export interface AlertGroup {
  name: string
  /** top to bottom */
  ids: readonly string[]
  critical: number
}

/** Unacknowledged first, then critical, then newest; the same order applies within each group. */
export function arrangeAlerts(
  alerts: ReadonlyMap<string, Alert>,
  isAcknowledged: (alert: Alert) => boolean,
  { filter, grouping, showsAcknowledged }: Arrangement,
): Arranged {
  const all = [...alerts].map(([id, alert]) => ({
    id,
    alert,
    acknowledged: isAcknowledged(alert),
    isCritical: alert.level === 'critical',
    startedAt: Date.parse(alert.startTime),
  }))
  const acknowledged = all.filter((one) => one.acknowledged).length
  const isFound = finder(filter)
  const found = all.filter(({ alert }) => isFound(alert))
  const shown = (showsAcknowledged ? found : found.filter((one) => !one.acknowledged)).toSorted(
    (a, b) =>
      Number(a.acknowledged) - Number(b.acknowledged) ||
      Number(b.isCritical) - Number(a.isCritical) ||
      b.startedAt - a.startedAt ||
      (a.id < b.id ? -1 : 1),
  )
  const groups =
    grouping === 'none' ? noGroups : toGroups(Map.groupBy(shown, ({ alert }) => groupOf(alert, grouping)))
  return {
    rows:
      grouping === 'none'
        ? shown.map(({ id }) => id)
        : [...groups].flatMap(([key, { ids }]) => [key, ...ids]),
    groups,
    unacknowledged: found.filter((one) => !one.acknowledged).map(({ id }) => id),
    counts: { active: all.length - acknowledged, acknowledged },
    found: found.length,
  }
}

const noGroups: ReadonlyMap<string, AlertGroup> = new Map()

/** Matches resource, message, type or node, and `site:`, like the history search. */
function finder({ search, level, kind, node }: AlertFilter): (alert: Alert) => boolean {
  const terms = siteTerms(search)
  const words = terms.rest.trim().toLowerCase()
  return (alert) =>
    (level === 'all' || (alert.level === 'critical') === (level === 'critical')) &&
    (kind === 'all' || typeText(alert.type) === kind) &&
    (node === 'all' || nodeText(alert) === node) &&
    isOfSites(alert.site, terms) &&
    (words === '' ||
      [alert.resourceName, alert.message, alert.type, typeText(alert.type), nodeText(alert), alert.node].some(
        (text) => text.toLowerCase().includes(words),
      ))
}

export const isFiltered = (filter: AlertFilter): boolean =>
  filter.search.trim() !== '' || filter.level !== 'all' || filter.kind !== 'all' || filter.node !== 'all'

/** Filter options, in natural order. */
export function choicesOf(alerts: ReadonlyMap<string, Alert>) {
  const kinds = new Set<string>()
  const nodes = new Set<string>()
  for (const alert of alerts.values()) {
    kinds.add(typeText(alert.type))
    const node = nodeText(alert)
    if (node) nodes.add(node)
  }
  return { kinds: [...kinds].toSorted(compareValues), nodes: [...nodes].toSorted(compareValues) }
}

const withoutNode = 'No node'

const groupOf = (alert: Alert, grouping: Exclude<AlertGrouping, 'none'>): string =>
  grouping === 'cause' ? typeText(alert.type) : nodeText(alert) || withoutNode

interface Member {
  id: string
  acknowledged: boolean
  isCritical: boolean
}

/** Groups with the most urgent alerts come first. */
function toGroups(members: ReadonlyMap<string, readonly Member[]>): ReadonlyMap<string, AlertGroup> {
  const groups = [...members].map(([name, ones]) => {
    const urgent = ones.filter(({ acknowledged }) => !acknowledged)
    return {
      name,
      ids: ones.map(({ id }) => id),
      critical: urgent.filter(({ isCritical }) => isCritical).length,
      urgent: urgent.length,
    }
  })
  return new Map(
    groups
      .toSorted((a, b) => b.critical - a.critical || b.urgent - a.urgent || compareValues(a.name, b.name))
      .map(({ urgent: _urgent, ...group }) => [`group:${group.name}`, group]),
  )
}
