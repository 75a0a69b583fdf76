import { isEqual } from '@pulse/domain'
import { memo, useCallback } from 'react'
import { formatBytes } from '../../lib/format.ts'
import { useLive } from '../../live/use-live.ts'
import { cellClass } from '../../parts/cells/cells.tsx'
import { indexHosts } from '../../parts/nodes/docker-hosts.ts'
import { rowClass } from '../../parts/grid/columns.ts'
import { Offline } from '../../parts/cells/outage.tsx'
import { GroupFrame } from '../../parts/node-summary/group-head.tsx'
import { cx } from '../../ui/cx.ts'
import { hostOfProject, nameOfProject } from './container-list.ts'
import { nothing, sumContainers } from './container-sums.ts'
import { counted, Figure } from './host-head.tsx'
import { useHostView } from './host-view.ts'

interface ProjectHeadProps {
  /** see `projectKey` */
  project: string
  colSpan: number
  phone: boolean
}

/** Head of a Compose project's containers, or of a host's containers without a project. */
export const ProjectHead = memo(function ProjectHead({ project, colSpan, phone }: ProjectHeadProps) {
  const id = hostOfProject(project)
  const name = nameOfProject(project)
  const host = useLive(
    ['dockerHosts'],
    useCallback((live) => indexHosts(live).get(id), [id]),
  )
  const sums = useLive(
    ['dockerContainers'],
    useCallback((live) => sumContainers(live).get(id)?.projects.get(name) ?? nothing, [id, name]),
    isEqual,
  )
  const online = host?.online ?? true
  const title = (
    <>
      <span className={cx('min-w-8 truncate font-medium', name ? 'text-ink' : 'text-ink-2')}>
        {name || 'No project'}
      </span>
      <span className="min-w-8 shrink-[2] truncate text-ink-3">{host?.name}</span>
    </>
  )
  const state = online ? counted(sums) : <OfflineSince id={id} />
  return (
    <GroupFrame colSpan={colSpan} row={{ online, outage: online ? undefined : 'offline' }}>
      {phone ? (
        <span className="flex h-full items-center gap-2 px-3">
          {title}
          <span className="ml-auto whitespace-nowrap text-ink-3 tabular-nums">{state}</span>
        </span>
      ) : (
        <span className={rowClass()}>
          <span className={cellClass('flex items-center gap-2 pl-3')}>{title}</span>
          <span className={cellClass('truncate text-ink-3 tabular-nums')}>{state}</span>
          <Figure label="CPU" scale="cpu" percent={sums.cpuPercent} stale={!online} />
          <span className={cellClass('text-right whitespace-nowrap text-ink-2 tabular-nums')}>
            <span className="sr-only">Memory </span>
            {formatBytes(sums.memoryBytes)}
          </span>
        </span>
      )}
    </GroupFrame>
  )
})

const OfflineSince = ({ id }: { id: string }) => <Offline since={useHostView(id)?.reportedAt} />
