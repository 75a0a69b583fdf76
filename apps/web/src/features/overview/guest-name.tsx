import { Lock } from 'lucide-react'
import { memo } from 'react'
import { maxTagDots, tagColor, tagList } from '../../lib/tags.ts'
import type { AlertLevel } from '../../parts/alerts/alert-levels.ts'
import { AlertMark, AlertStripe } from '../../parts/alerts/alert-stripe.tsx'
import { Cell } from '../../parts/cells/cells.tsx'
import { NameLine } from '../../parts/cells/name-line.tsx'
import { RowOpener } from '../../parts/cells/row-opener.tsx'
import { StaleBadge } from '../../parts/cells/outage.tsx'
import { createExpansion } from '../../parts/list/expansion.ts'
import { PageLinkOver } from '../../parts/thing/page-link.tsx'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { tip } from '../../ui/tooltip.tsx'
import type { GuestView } from '../../parts/guests/guest-view.ts'

export interface GuestNameProps {
  id: string
  name: string
  tags: string | undefined
  lock: string | undefined
  staleSince: number | undefined
  state: GuestView['state']
  dimmed: boolean
  /** its node, unless a head shows it */
  node: string | undefined
  /** the guest's custom link */
  link: string | undefined
  alert: AlertLevel | undefined
  expanded: boolean
  tabIndex: 0 | -1
}

/** Re-renders only for its own props, which include no figures. */
export const GuestName = memo(function GuestName(props: GuestNameProps) {
  const { id, name, tags, lock, staleSince, state, dimmed, node, link, alert, expanded, tabIndex } = props
  const look = cx('min-w-8 truncate leading-6 font-medium', dimmed ? 'text-ink-3' : 'text-ink')
  return (
    <NameLine
      extras={
        (tags || lock) && (
          <>
            <TagDots tags={tags} />
            {lock && (
              <Badge tone="orange">
                <Lock aria-hidden size={10} className="mr-1" />
                <span className="sr-only">Locked: </span>
                {lock}
              </Badge>
            )}
          </>
        )
      }
      hint={[lock && `Locked: ${lock}`, tagList(tags).length > 0 && `Tags: ${tagList(tags).join(', ')}`]
        .filter(Boolean)
        .join('\n')}
      substitute={
        <>
          {lock && <Lock size={12} className="text-orange" />}
          <FirstTag tags={tags} />
        </>
      }
    >
      <RowOpener {...{ name, expanded, tabIndex }} onToggle={() => expandedGuests.toggle(id)} />
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
          {name}
        </a>
      ) : (
        <span className={look}>{name}</span>
      )}
      {node !== undefined && <span className="min-w-8 shrink-[2] truncate text-xs text-ink-3">{node}</span>}
      <AlertMark level={alert} />
      {staleSince !== undefined && <StaleBadge since={staleSince} />}
    </NameLine>
  )
})

/** The same, as the row's first cell. */
export const GuestNameCell = memo(function GuestNameCell({
  indented,
  ...name
}: GuestNameProps & { indented: boolean }) {
  return (
    <Cell className={cx('flex items-center gap-1.5', indented ? 'pl-5' : 'pl-3')}>
      <AlertStripe level={name.alert} />
      <GuestName {...name} />
      <PageLinkOver kind="guests" id={name.id} name={name.name} tabIndex={name.tabIndex} />
    </Cell>
  )
})

/** Guests with expanded details. */
export const expandedGuests = createExpansion()

/** Up to three coloured dots, each with its tag as tooltip, and the number of further tags. */
export function TagDots({ tags }: { tags: string | undefined }) {
  const list = tagList(tags)
  if (list.length === 0) return null
  const rest = list.slice(maxTagDots)
  return (
    <span className="inline-flex shrink-0 items-center gap-1">
      <span className="sr-only">Tags: {list.join(', ')}</span>
      {list.slice(0, maxTagDots).map((tag, index) => (
        <span
          key={index}
          aria-hidden
          data-tag={tag}
          className="tag-dot size-2 rounded-full"
          style={{ background: tagColor(tag) }}
          {...tip(tag)}
        />
      ))}
      {rest.length > 0 && (
        <span aria-hidden className="text-2xs text-ink-3" {...tip(rest.join('\n'))}>
          +{rest.length}
        </span>
      )}
    </span>
  )
}

/** For small spaces: one dot, and the number of further tags. */
function FirstTag({ tags }: { tags: string | undefined }) {
  const [first, ...rest] = tagList(tags)
  if (first === undefined) return null
  return (
    <span className="inline-flex items-center gap-0.5">
      <span className="tag-dot size-2 rounded-full" style={{ background: tagColor(first) }} />
      {rest.length > 0 && <span className="text-2xs">+{rest.length}</span>}
    </span>
  )
}
