import { ChevronRight, Lock } from 'lucide-react'
import type { AlertLevel } from '../../parts/alert-levels.ts'
import { AlertMark } from '../../parts/alert-stripe.tsx'
import { NameLine } from '../../parts/name-line.tsx'
import { StaleBadge } from '../../parts/stale.tsx'
import { TagDots } from '../../parts/tag-dots.tsx'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { tip } from '../../ui/tooltip.tsx'
import { toggleExpanded } from './expanded.ts'
import type { GuestView } from './guest-view.ts'

interface GuestNameProps {
  id: string
  view: GuestView
  /** of the guest's own, set by people */
  link: string | undefined
  alert: AlertLevel | undefined
  expanded: boolean
  tabIndex: 0 | -1
}

export function GuestName({
  id,
  view: { guest, faint, state },
  link,
  alert,
  expanded,
  tabIndex,
}: GuestNameProps) {
  const look = cx('min-w-8 truncate font-medium', faint ? 'text-ink-3' : 'text-ink')
  return (
    <NameLine
      extras={
        (guest.tags || guest.lock) && (
          <>
            <TagDots tags={guest.tags} />
            {guest.lock && (
              <Badge tone="orange">
                <Lock aria-hidden size={10} className="mr-1" />
                <span className="sr-only">Locked: </span>
                {guest.lock}
              </Badge>
            )}
          </>
        )
      }
    >
      <button
        type="button"
        tabIndex={tabIndex}
        aria-expanded={expanded}
        aria-label={`Details of ${guest.name}`}
        className="-ml-1 inline-flex size-5 shrink-0 items-center justify-center rounded text-ink-3 hover:text-ink"
        onClick={() => toggleExpanded(id)}
      >
        <ChevronRight aria-hidden size={14} className={cx(expanded && 'rotate-90')} />
      </button>
      <StatusDot {...state} />
      {link ? (
        <a
          href={link}
          target="_blank"
          rel="noopener noreferrer"
          tabIndex={tabIndex}
          className={cx(look, 'hover:text-accent hover:underline')}
          {...tip(`Open ${link}`)}
        >
          {guest.name}
        </a>
      ) : (
        <span className={look}>{guest.name}</span>
      )}
      <AlertMark level={alert} />
      {guest.staleSince !== undefined && <StaleBadge since={guest.staleSince} />}
    </NameLine>
  )
}
