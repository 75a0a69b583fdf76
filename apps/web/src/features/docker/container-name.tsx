import { CircleAlert } from 'lucide-react'
import { AlertMark } from '../../parts/alerts/alert-stripe.tsx'
import { NameLine } from '../../parts/cells/name-line.tsx'
import { RowOpener } from '../../parts/cells/row-opener.tsx'
import { StaleBadge } from '../../parts/cells/outage.tsx'
import { createExpansion } from '../../parts/list/expansion.ts'
import { cx } from '../../ui/cx.ts'
import { tip } from '../../ui/tooltip.tsx'
import type { ContainerLine } from './container-line.ts'

/**
 * A container's name, plus project and host unless a head shows them. The name is truncated last: a subpixel
 * overflow would already add an ellipsis.
 */
export function ContainerName({ line }: { line: ContainerLine }) {
  const { id, container, name, project, hostName, staleSince, dimmed, alert } = line
  const { opens, expanded, tabIndex } = line
  const { unreadable } = container
  return (
    <NameLine>
      <RowOpener {...{ name, opens, expanded, tabIndex }} onToggle={() => openContainers.toggle(id)} />
      <span className={cx('min-w-4 truncate font-medium', dimmed ? 'text-ink-3' : 'text-ink')} {...tip(name)}>
        {name}
      </span>
      {hostName !== undefined && (
        <span className="min-w-8 shrink-[10000] truncate text-xs text-ink-3">{hostName}</span>
      )}
      {project !== undefined && (
        <span
          className="min-w-0 shrink-[100000000] truncate text-xs text-ink-3"
          {...tip(`Compose project ${project}`)}
        >
          <span className="sr-only">Project </span>
          {hostName === undefined ? project : `· ${project}`}
        </span>
      )}
      <AlertMark level={alert} />
      {unreadable && (
        <span className="inline-flex shrink-0 text-orange" {...tip(unreadable, 320)}>
          <CircleAlert aria-hidden size={13} />
          <span className="sr-only">{unreadable}</span>
        </span>
      )}
      {staleSince !== undefined && <StaleBadge since={staleSince} />}
    </NameLine>
  )
}

/** Expanded containers. Their id is host plus name, so a recreated container stays expanded. */
export const openContainers = createExpansion()
