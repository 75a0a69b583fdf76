import { ChevronRight, CircleAlert } from 'lucide-react'
import { AlertMark } from '../../parts/alert-stripe.tsx'
import { NameLine } from '../../parts/name-line.tsx'
import { StaleBadge } from '../../parts/stale.tsx'
import { cx } from '../../ui/cx.ts'
import { tip } from '../../ui/tooltip.tsx'
import type { ContainerLine } from './container-line.ts'
import { openContainers } from './open-containers.ts'

/** A container by its name, what it belongs to and where it runs as far as no head above says so. */
export function ContainerName({ line }: { line: ContainerLine }) {
  const { container, name, project, hostName, staleSince, faint, alert } = line
  const { unreadable } = container
  return (
    <NameLine>
      <Opener line={line} />
      <span className={cx('min-w-4 truncate font-medium', faint ? 'text-ink-3' : 'text-ink')} {...tip(name)}>
        {name}
      </span>
      {hostName !== undefined && (
        <span className="min-w-8 shrink-[2] truncate text-xs text-ink-3">{hostName}</span>
      )}
      {project !== undefined && (
        <span
          className="min-w-6 shrink-[3] truncate text-xs text-ink-3"
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

/** The names of those that do not open begin at the same place. */
function Opener({ line: { id, name, opens, expanded, tabIndex } }: { line: ContainerLine }) {
  const look =
    '-ml-1 inline-flex size-5 shrink-0 items-center justify-center rounded text-ink-3 hover:text-ink'
  if (!opens) return <span className={look} />
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      aria-expanded={expanded}
      aria-label={`Details of ${name}`}
      className={look}
      onClick={() => openContainers.toggle(id)}
    >
      <ChevronRight aria-hidden size={14} className={cx(expanded && 'rotate-90')} />
    </button>
  )
}
