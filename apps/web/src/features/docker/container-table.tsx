import { memo, type RefObject, useCallback } from 'react'
import { useEntity, useLive } from '../../live/use-live.ts'
import type { AlertLevels } from '../../parts/alerts/alert-levels.ts'
import { indexHosts } from '../../parts/nodes/docker-hosts.ts'
import type { GridHandle } from '../../parts/grid/grid.tsx'
import { ListTable } from '../../parts/list/list-table.tsx'
import { ColumnRow } from '../../parts/table/column-row.tsx'
import type { TrendSource } from '../../parts/trends/trend-table.ts'
import { useTrends } from '../../parts/trends/trends.tsx'
import { containerColumns, MIN_WIDTH } from './columns.tsx'
import { projectOf } from './compose.ts'
import { ContainerDetails } from './container-details.tsx'
import { containerFacts } from './container-line.ts'
import { type ContainerList, containerListNames } from './container-list.ts'
import { openContainers } from './container-name.tsx'
import type { ContainerGrouping } from './filter.ts'
import { HostHead } from './host-head.tsx'
import { ProjectHead } from './project-head.tsx'
import type { DockerView } from './use-docker-view.ts'

interface ContainerTableProps {
  list: ContainerList
  view: DockerView
  alerts: AlertLevels
  phone: boolean
  onInUseChange: (held: boolean) => void
  handle: RefObject<GridHandle | null>
}

const containerTrendSources: readonly TrendSource[] = [
  { rows: containerListNames.flat.record, kind: 'dockerContainers', fields: ['cpu', 'memory'] },
]
const colSpan = containerColumns.length
const drawDetails = (id: string) => <ContainerDetails id={id} colSpan={colSpan} />

export function ContainerTable({
  list,
  view,
  alerts,
  phone,
  onInUseChange: onHold,
  handle,
}: ContainerTableProps) {
  const { host, toggleHost } = view
  const isOnly = useLive(['dockerHosts'], (live) => indexHosts(live).size === 1)
  const { grouping } = view.chosen
  const underlay = useTrends({ sources: containerTrendSources, columns: containerColumns, phone })
  return (
    <ListTable
      label="Containers"
      names={containerListNames[grouping]}
      rows={list.rows}
      columns={containerColumns}
      sort={view.sort}
      onSort={view.sortBy}
      grouped={grouping !== 'flat'}
      drawGroup={({ id, tabIndex }) =>
        grouping === 'project' ? (
          <ProjectHead project={id} colSpan={colSpan} phone={phone} />
        ) : (
          <HostHead
            id={id}
            colSpan={colSpan}
            phone={phone}
            single={id === host}
            onToggle={toggleHost}
            tabIndex={tabIndex}
          />
        )
      }
      drawRecord={(row) => (
        <ContainerRow
          {...row}
          grouping={grouping}
          oneHost={isOnly || host !== undefined}
          alerts={alerts}
          opens={!list.closed.has(row.id)}
          phone={phone}
        />
      )}
      details={{ expansion: openContainers, draw: drawDetails, except: list.closed }}
      underlay={underlay}
      minWidth={MIN_WIDTH}
      phone={phone}
      onInUseChange={onHold}
      handle={handle}
    />
  )
}

interface ContainerRowProps {
  id: string
  grouping: ContainerGrouping
  /** all rows belong to one host, so its name is redundant */
  oneHost: boolean
  alerts: AlertLevels
  opens: boolean
  expanded: boolean
  phone: boolean
  tabIndex: 0 | -1
}

const ContainerRow = memo(function ContainerRow(props: ContainerRowProps) {
  const { id, grouping, oneHost, alerts, opens, expanded, phone, tabIndex } = props
  const container = useEntity('dockerContainers', id)
  const source = container?.source
  const host = useLive(
    ['dockerHosts'],
    useCallback((live) => (source === undefined ? undefined : indexHosts(live).get(source)), [source]),
  )
  if (!container || !host) return null
  const facts = containerFacts(container, host.online)
  const alert = alerts.get(`docker:${container.host}/${container.id}`)
  return (
    <ColumnRow
      columns={containerColumns}
      shown={{
        ...facts,
        id,
        hostName: grouping === 'flat' && !oneHost ? host.name : undefined,
        project: grouping === 'project' ? undefined : projectOf(container) || undefined,
        alert,
        opens,
        expanded,
        indented: grouping !== 'flat',
        tabIndex,
      }}
      phone={phone}
      dimmed={facts.dimmed}
      open={expanded}
      alert={alert}
    />
  )
})
