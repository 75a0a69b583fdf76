import { Loader, Lock, Unplug } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatRelative } from '../../lib/format.ts'
import { useNow } from '../../lib/use-now.ts'
import { useConnection, useReconnectNow } from '../../live/use-live.ts'
import { rem } from '../../lib/text-scale.ts'
import { TICK_MS } from '../cells/cells.tsx'
import { usePhoneRowHeight, useRowHeight } from '../screen/density.tsx'
import { HEAD_HEIGHT } from '../grid/head.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { usePhone } from '../screen/use-media.ts'
import type { Notice } from './connection-notice.ts'

/** Shown before the first data: the page's layout and the reason for waiting. */
export function Loading({ notice, skeleton = tables }: LoadingProps) {
  return (
    <div className="flex flex-col gap-3">
      {skeleton(
        <div className="flex min-h-8 items-center gap-2 px-1 text-table">
          <Loader aria-hidden size={14} className="spin text-ink-3" />
          <NoticeText notice={notice} />
        </div>,
      )}
    </div>
  )
}

interface LoadingProps {
  notice: Notice
  skeleton: ((notice: ReactNode) => ReactNode) | undefined
}

const tables = (notice: ReactNode) => (
  <>
    <SkeletonTable rows={3} />
    {notice}
    <SkeletonTable rows={12} />
  </>
)

/** A placeholder as high as a line of figures or filters. */
export const SkeletonLine = ({ children }: { children?: ReactNode }) => (
  <div className="flex min-h-8 items-center gap-3 px-1">{children ?? <Skeleton className="h-3 w-48" />}</div>
)

interface SkeletonTableProps {
  rows: number
  /** the table has a foot */
  foot?: boolean
  /** the table has a sort select on phones */
  sortable?: boolean
}

/** A table's head and rows with their final heights. */
export function SkeletonTable({ rows, foot = false, sortable = false }: SkeletonTableProps) {
  const phone = usePhone()
  const rowHeight = useRowHeight()
  const phoneRowHeight = usePhoneRowHeight()
  const height = phone ? phoneRowHeight : rowHeight
  return (
    <Card data-skeleton="table" className="overflow-clip">
      {!phone && <div className="border-b border-line bg-sunken" style={{ height: rem(HEAD_HEIGHT) }} />}
      {phone && sortable && <div className="h-[calc(2.75rem+1px)] border-b border-line bg-sunken" />}
      {Array.from({ length: rows }, (_, index) => (
        <div
          key={index}
          className="flex items-center gap-4 border-b border-line px-3 last:border-b-0"
          style={{ height }}
        >
          <Skeleton className="h-3 w-40 max-w-[40%]" />
          <Skeleton className="h-1.5 flex-1" />
          <Skeleton className="h-1.5 flex-1" />
          <Skeleton className="hidden h-1.5 flex-1 sm:block" />
        </div>
      ))}
      {foot && <div className="min-h-8 border-t border-line bg-sunken" />}
    </Card>
  )
}

/**
 * Counts down to the next attempt; empty during one. Hidden from screen readers, which would announce every
 * second.
 */
function NextTry() {
  const retryAt = useConnection((connection) => connection.retryAt)
  const seconds = useNow(1_000, (now) =>
    retryAt === undefined ? undefined : Math.max(0, Math.ceil((retryAt - now) / 1000)),
  )
  if (seconds === undefined) return null
  return (
    <span aria-hidden className="whitespace-nowrap text-ink-3 tabular-nums">
      {seconds === 0 ? 'Trying now' : `Next try in ${seconds} s`}
    </span>
  )
}

export function ConnectionLost({ notice }: { notice: Notice }) {
  const reconnectNow = useReconnectNow()
  return (
    <Card>
      <EmptyState
        announce
        tone="red"
        icon={<Unplug size={24} />}
        title={notice.title}
        action={
          <Button variant="primary" onClick={reconnectNow}>
            Reconnect now
          </Button>
        }
      >
        {notice.text}
        <br />
        <NextTry />
      </EmptyState>
    </Card>
  )
}

/** In the toolbar's line above stale figures. It moves nothing when it appears. */
export function NoticeStrip({ notice }: { notice: Notice }) {
  const reconnectNow = useReconnectNow()
  const lastUpdate = useConnection((connection) => connection.lastUpdate)
  const age = useNow(TICK_MS, (now) => formatRelative(lastUpdate, now))
  return (
    <div
      className={cx(
        'flex min-h-8 min-w-0 flex-1 basis-full items-center gap-2 text-table lg:basis-[26rem]',
        notice.isConnectionLost && 'rounded-md border-l-4 border-red-fill bg-red-soft px-2.5',
      )}
    >
      {notice.isConnectionLost ? (
        <Unplug aria-hidden size={14} className="shrink-0 text-red" />
      ) : (
        <Loader aria-hidden size={14} className="spin shrink-0 text-ink-3" />
      )}
      <NoticeText notice={notice} />
      {/* each part is shown completely or not at all: parts that do not fit wrap below the visible line */}
      <span className="hidden h-5 min-w-0 flex-1 flex-wrap gap-x-2 overflow-hidden lg:flex">
        {/* lets even the first of them wrap */}
        <span aria-hidden className="-mr-2 h-5 w-0" />
        {notice.isConnectionLost && <NextTry />}
        {lastUpdate !== undefined && (
          <span className="whitespace-nowrap text-ink-3">Figures are from {age}.</span>
        )}
      </span>
      {notice.isConnectionLost && (
        <Button className="ml-auto shrink-0" onClick={reconnectNow}>
          Reconnect now
        </Button>
      )}
    </div>
  )
}

/** The part that screen readers announce, without counters and ages. */
function NoticeText({ notice: { title, text } }: { notice: Notice }) {
  return (
    <span
      role="status"
      className="flex min-w-0 flex-wrap gap-x-2 text-xs leading-4 lg:text-table lg:leading-4"
    >
      <span className="font-medium whitespace-nowrap">{title}</span>
      <span className="text-ink-2">{text}</span>
    </span>
  )
}

/** For a signed-in user without permission for the page. */
export function NoRights({ to }: { to: string }) {
  return (
    <Card>
      <EmptyState icon={<Lock size={24} />} title={`You need administrator access ${to}.`}>
        Sign in with an administrator account, then open this page again.
      </EmptyState>
    </Card>
  )
}
