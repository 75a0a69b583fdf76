import { memo, useCallback } from 'react'
import { useEntity, useLive } from '../../live/use-live.ts'
import type { AlertLevels } from '../../parts/alerts/alert-levels.ts'
import { indexHosts } from '../../parts/nodes/docker-hosts.ts'
import { ColumnRow } from '../../parts/table/column-row.tsx'
import { containerColumns } from './columns.tsx'
import { projectOf } from './compose.ts'
import { containerFacts } from './container-line.ts'
import type { ContainerGrouping } from './filter.ts'

interface ContainerRowProps {
  id: string
  grouping: ContainerGrouping
  /** every row is of the same host, whose name would tell nothing */
  oneHost: boolean
  alerts: AlertLevels
  opens: boolean
  expanded: boolean
  phone: boolean
  tabIndex: 0 | -1
}

export const ContainerRow = memo(function ContainerRow(props: ContainerRowProps) {
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
