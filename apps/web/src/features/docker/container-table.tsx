import type { RefObject } from 'react'
import { useLive } from '../../live/use-live.ts'
import type { AlertLevels } from '../../parts/alerts/alert-levels.ts'
import { indexHosts } from '../../parts/nodes/docker-hosts.ts'
import type { GridHandle } from '../../parts/grid/grid.tsx'
import { ListTable } from '../../parts/list/list-table.tsx'
import { containerColumns, MIN_WIDTH } from './columns.tsx'
import { ContainerDetails } from './container-details.tsx'
import { type ContainerList, containerListNames } from './container-list.ts'
import { openContainers } from './container-name.tsx'
import { ContainerRow } from './container-row.tsx'
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
      minWidth={MIN_WIDTH}
      phone={phone}
      onInUseChange={onHold}
      handle={handle}
    />
  )
}
