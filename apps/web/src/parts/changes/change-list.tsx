import type { HistoryChange } from '@pulse/contract'
import { Bell } from 'lucide-react'
import { memo, useMemo } from 'react'
import { dayLabel, dayOf } from '../../lib/days.ts'
import { formatMoment } from '../../lib/format.ts'
import { cx } from '../../ui/cx.ts'
import { Link } from '../../ui/router/link.tsx'
import { tip } from '../../ui/tooltip.tsx'
import { ChangeIcon } from './change-icon.tsx'
import { changeLink, kindLabel } from './change-kinds.ts'
import { changeText } from './change-text.ts'

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

interface ChangeListProps {
  /** newest first */
  changes: readonly HistoryChange[]
  now: number
  /** all of one thing, so no line names it */
  ofOne?: boolean
  /** the start of an alert, shown between the changes */
  alertAt?: number | undefined
}

/** What happened, by day. */
export function ChangeList({ changes, now, ofOne = false, alertAt }: ChangeListProps) {
  const days = useMemo(() => {
    const lines = alertAt === undefined ? changes : withAlert(changes, alertAt)
    return [...Map.groupBy(lines, ({ at }) => dayOf(at))]
  }, [changes, alertAt])
  return (
    <div className="flex flex-col">
      {days.map(([day, own]) => (
        <section key={day} aria-label={dayLabel(day, now)}>
          <h3 className="border-b border-line bg-sunken px-3 py-1 text-xs font-semibold text-ink-2">
            {dayLabel(day, now)}
          </h3>
          <ul className="divide-y divide-line">
            {own.map((line) =>
              'what' in line ? (
                <ChangeLine key={keyOf(line)} change={line} ofOne={ofOne} />
              ) : (
                <AlertLine key="alert" at={line.at} />
              ),
            )}
          </ul>
        </section>
      ))}
    </div>
  )
}

type Line = HistoryChange | { at: number }

function withAlert(changes: readonly HistoryChange[], at: number): Line[] {
  const before = changes.findIndex((change) => change.at < at)
  const index = before < 0 ? changes.length : before
  return [...changes.slice(0, index), { at }, ...changes.slice(index)]
}

const keyOf = ({ kind, id, at, what, field = '' }: HistoryChange) => `${kind} ${id} ${at} ${what} ${field}`

/** The browser neither lays out nor paints lines outside the window, however many are loaded. */
const lineClass =
  'flex items-start gap-3 px-3 py-1.5 text-table [contain-intrinsic-size:auto_2rem] [content-visibility:auto]'
const timeClass = 'w-16 shrink-0 whitespace-nowrap text-ink-3 tabular-nums'

function AlertLine({ at }: { at: number }) {
  return (
    <li className={cx(lineClass, 'bg-sunken')}>
      <Time at={at} />
      <Bell aria-hidden size={14} className="mt-0.5 shrink-0 text-orange" />
      <span className="font-medium">Alert started</span>
    </li>
  )
}

function Time({ at }: { at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} className={timeClass} {...tip(formatMoment(at))}>
      {clock.format(at)}
    </time>
  )
}

const ChangeLine = memo(function ChangeLine({ change, ofOne }: { change: HistoryChange; ofOne: boolean }) {
  const { at, kind, name, where, vmid } = change
  const about = [kindLabel(kind), vmid, where && where !== name ? where : undefined]
    .filter(Boolean)
    .join(' · ')
  return (
    <li className={cx(lineClass, 'hover:bg-hover')}>
      <Time at={at} />
      <span className="mt-0.5">
        <ChangeIcon change={change} />
      </span>
      <div className="flex min-w-0 flex-1 flex-wrap gap-x-3">
        {!ofOne && (
          <span className="min-w-0 sm:basis-72">
            <Name change={change} />
            <span className="ml-2 text-xs text-ink-3">{about}</span>
          </span>
        )}
        <span className="min-w-0 flex-1 basis-60 break-words text-ink-2">{changeText(change)}</span>
      </div>
    </li>
  )
})

function Name({ change }: { change: HistoryChange }) {
  const to = change.what === 'went' ? undefined : changeLink(change)
  const text = change.name || kindLabel(change.kind)
  return to === undefined ? (
    <span className="font-medium break-words">{text}</span>
  ) : (
    <Link to={to} className="font-medium break-words hover:text-accent hover:underline">
      {text}
    </Link>
  )
}
