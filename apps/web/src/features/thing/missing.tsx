import type { Guest } from '@pulse/contract'
import { History, SearchX } from 'lucide-react'
import { useState } from 'react'
import { formatMoment, formatRelative } from '../../lib/format.ts'
import { useClock, useMoment } from '../../lib/moment.tsx'
import { tagList } from '../../lib/tags.ts'
import { useNow } from '../../lib/use-now.ts'
import { TICK_MS } from '../../parts/cells/cells.tsx'
import { typeLabel } from '../../parts/guests/guest-view.ts'
import { TagList } from '../../parts/guests/tag-list.tsx'
import { beginWith } from '../../parts/history/choices.ts'
import { HistoryCharts } from '../../parts/history/history-charts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Link } from '../../ui/router/link.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { Alerts } from './alerts.tsx'
import { HeadFact, ThingHead } from './head.tsx'
import { Section, SectionBody, SectionLoading } from './section.tsx'
import type { ThingKind } from './thing.ts'
import { type Past, usePast } from './use-past.ts'
import { useThingTitle } from './use-thing-title.ts'

interface MissingProps {
  kind: ThingKind
  id: string
  /** what the thing is */
  title: string
}

/** A thing without a record: it was removed, did not exist yet, or never did. The history may still have it. */
export function Missing({ kind, id, title }: MissingProps) {
  const { data: past, error, refetch } = usePast(kind, id)
  const isPast = useMoment() !== undefined
  if (past && past !== 'later') return <Gone kind={kind} id={id} title={title} past={past} />
  return (
    <>
      <h1 className="sr-only">{title}</h1>
      <Card>
        {error ? (
          <EmptyState
            announce
            tone="red"
            title={`This ${title.toLowerCase()} ${isPast ? 'did not exist at this time' : 'does not exist now'}, and its history could not be loaded`}
            action={<Button onClick={() => void refetch()}>Retry</Button>}
          >
            {error.message}
          </EmptyState>
        ) : past === 'later' ? (
          <EmptyState announce icon={<History size={24} />} title={`${title} did not exist yet`}>
            The history has this {title.toLowerCase()} only after this time.
          </EmptyState>
        ) : past === null ? (
          <EmptyState
            announce
            icon={<SearchX size={24} />}
            title={`${title} not found`}
            action={
              <Link to="/proxmox/overview" className={buttonClass('primary')}>
                Go to Overview
              </Link>
            }
          >
            No current or past {title.toLowerCase()} has this address.
          </EmptyState>
        ) : (
          <SectionLoading />
        )}
      </Card>
    </>
  )
}

interface GoneProps extends MissingProps {
  past: Past
}

/** What the history has of a thing that was removed. */
function Gone({ kind, id, title, past: { name = fallbackName(title, id), lastSeenAt, record } }: GoneProps) {
  const clock = useClock()
  const isPast = useMoment() !== undefined
  useState(() => beginWithLastDay(`${kind} ${id}`, lastSeenAt, clock()))
  useThingTitle(name)
  const removed = kind === 'guests' ? 'Deleted' : 'Removed'
  return (
    <div className="flex flex-col gap-3">
      <ThingHead
        name={name}
        above={[{ to: '/proxmox/overview', text: 'Overview' }]}
        mark={<StatusDot tone="neutral" label="" ring />}
        badges={
          <>
            {kind === 'guests' && record && <Badge>{typeLabel(record as Guest)}</Badge>}
            <Badge tone="orange">{removed}</Badge>
          </>
        }
      >
        <LastSeen at={lastSeenAt} />
        {kind === 'guests' && <GuestFacts guest={record as Guest | undefined} />}
      </ThingHead>
      <p role="status" className="px-1 text-table text-ink-2">
        {isPast
          ? `This ${title.toLowerCase()} had been ${removed.toLowerCase()} by this time.`
          : `This ${title.toLowerCase()} no longer exists.`}{' '}
        Its figures stay in the history until its retention ends.
      </p>
      <Section title="History">
        <SectionBody>
          <HistoryCharts kind={kind} id={id} name={name} alertId={record?.id ?? id} />
        </SectionBody>
      </Section>
      {record && <Alerts resourceId={record.id} name={name} />}
    </div>
  )
}

const hourMs = 3_600_000

/** Ranges that end now would show nothing of it. */
function beginWithLastDay(key: string, lastSeenAt: number, now: number): void {
  if (now - lastSeenAt < hourMs / 2) return
  beginWith(key, { from: lastSeenAt - 23 * hourMs, to: lastSeenAt + hourMs })
}

/** By its number, which is the last part of its id. */
const fallbackName = (title: string, id: string) => `${title} ${id.split(':').at(-1)}`

function LastSeen({ at }: { at: number }) {
  const age = useNow(TICK_MS, (now) => formatRelative(at, now))
  return (
    <HeadFact term="Last seen">
      {formatMoment(at)}
      <span className="text-ink-3">, {age}</span>
    </HeadFact>
  )
}

function GuestFacts({ guest }: { guest: Guest | undefined }) {
  if (!guest) return null
  const tags = tagList(guest.tags)
  return (
    <>
      <HeadFact term="VMID">{guest.vmid}</HeadFact>
      <HeadFact term="Node">{guest.node}</HeadFact>
      {tags.length > 0 && (
        <HeadFact term="Tags">
          <TagList tags={tags} />
        </HeadFact>
      )}
    </>
  )
}
