import { type ContainerPredicate, containerName } from '@pulse/domain'
import { sameSet } from '../../live/per-version.ts'
import type { LiveReader } from '../../live/store.ts'
import { type HostIndex, indexHosts, orderHosts } from '../../parts/nodes/docker-hosts.ts'
import { createListSelector, type List, type ListItem } from '../../parts/list/list-selector.ts'
import { compareValues, type Sort } from '../../ui/table/sort.ts'
import { type ContainerColumnId, containerColumns } from './columns.tsx'
import { projectOf } from './compose.ts'
import { hasMore } from './container-line.ts'
import { markOf } from './container-status.ts'
import type { ContainerGrouping } from './filter.ts'

export interface ContainerQuery {
  /** undefined without a search */
  matches: ContainerPredicate | undefined
  sort: Sort<ContainerColumnId>
  grouping: ContainerGrouping
  /** store id; only this host's containers */
  host: string | undefined
}

type RowName = 'container' | 'host' | 'project'

/** Row names by grouping. */
export const containerListNames = {
  grouped: { record: 'container', group: 'host' },
  flat: { record: 'container', group: 'host' },
  project: { record: 'container', group: 'project' },
} as const satisfies Record<ContainerGrouping, { record: RowName; group: RowName }>

export interface ContainerList extends List<RowName> {
  /** containers without details; same identity while unchanged */
  closed: ReadonlySet<string>
}

/** These change with every report. */
const figures = ['cpuPercent', 'memoryPercent', 'memoryUsageBytes', 'memoryLimitBytes'] as const
const figureOf: Partial<Record<ContainerColumnId, readonly string[]>> = {
  cpu: ['cpuPercent'],
  memory: figures.slice(1),
}

type Around = readonly [hosts: HostIndex]

export function createContainerListSelector({ matches, sort, grouping, host }: ContainerQuery) {
  const { value } = containerColumns.find(({ id }) => id === sort.key)!
  const closed = new Set<string>()
  const read = figureOf[sort.key] ?? []
  const select = createListSelector({
    kind: 'dockerContainers',
    names: containerListNames[grouping] as { record: RowName; group: RowName },
    context: (live): Around => [indexHosts(live)],
    direction: sort.direction,
    ignoredFields: new Set([...figures.filter((one) => !read.includes(one)), ...(matches ? [] : ['status'])]),
    toItem(container, [hosts], id): ListItem | undefined {
      const { source } = container
      const on = hosts.get(source)
      if (!on || (host !== undefined && host !== source)) return undefined
      if (matches && !matches(container, on)) return undefined
      if (hasMore(container)) closed.delete(id)
      else closed.add(id)
      return {
        value: value(container, undefined),
        tiebreaker: `${containerName(container)} ${on.name}`,
        group: grouping === 'project' ? projectKey(source, projectOf(container)) : source,
        category: markOf(container),
      }
    },
    ...(grouping !== 'flat' && { groups: grouping === 'project' ? projectsInOrder : hostsInOrder }),
  })

  let result: ContainerList | undefined
  let list: List<RowName> | undefined
  return (live: LiveReader, keepOrder = false): ContainerList => {
    const next = select(live, keepOrder)
    if (result && next === list && sameSet(result.closed, closed)) return result
    list = next
    return (result = {
      ...next,
      closed: result && sameSet(result.closed, closed) ? result.closed : new Set(closed),
    })
  }
}

const hostsInOrder = (present: readonly string[], [hosts]: Around) => orderHosts(present, hosts)

/** Projects with the same name on different hosts are distinct. */
const projectKey = (host: string, project: string): string => `${host}\0${project}`
export const hostOfProject = (key: string): string => key.slice(0, key.indexOf('\0'))
export const nameOfProject = (key: string): string => key.slice(key.indexOf('\0') + 1)

/** By host; containers without a project come last. */
function projectsInOrder(present: readonly string[], [hosts]: Around): readonly string[] {
  const byHost = Map.groupBy(present, hostOfProject)
  return orderHosts([...byHost.keys()], hosts).flatMap((host) =>
    byHost.get(host)!.toSorted((a, b) => {
      const [one, other] = [nameOfProject(a), nameOfProject(b)]
      return Number(one === '') - Number(other === '') || compareValues(one, other)
    }),
  )
}
