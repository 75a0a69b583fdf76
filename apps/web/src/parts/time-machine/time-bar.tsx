import { counting } from '@pulse/domain'
import { type KeyboardEvent, type PointerEvent, type Ref, useId, useMemo, useRef } from 'react'
import { formatAxisTime } from '../../lib/format.ts'
import { barPaths } from './marks.ts'
import type { Span } from '../../lib/times.ts'
import { moved, stepOf, within } from './steps.ts'
import type { BarMarks } from './use-reach.ts'
import { daysIn } from './words.ts'

interface TimeBarProps {
  span: Span
  /** epoch ms */
  at: number
  /** the moment in words */
  text: string
  marks: BarMarks | undefined
  onMove: (at: number) => void
  handle: Ref<HTMLDivElement>
}

/** A slider over the time of the history, with its alerts and the times in which Pulse was off. */
export function TimeBar({ span, at, text, marks, onMove, handle }: TimeBarProps) {
  const track = useRef<HTMLDivElement>(null)
  const notes = useId()
  const paths = useMemo(() => barPaths(span, marks?.alerts ?? [], marks?.off ?? []), [span, marks])
  const place = ((within(span, at) - span.from) / (span.to - span.from)) * 100

  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.altKey || event.ctrlKey || event.metaKey ? undefined : stepOf(event.key, event.shiftKey)
    if (by === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onMove(moved(span, at, by))
  }
  const moveTo = ({ clientX }: PointerEvent) => {
    const { left, width } = track.current!.getBoundingClientRect()
    onMove(within(span, span.from + ((clientX - left) / width) * (span.to - span.from)))
  }

  return (
    <div className="min-w-0 select-none">
      <div
        ref={handle}
        role="slider"
        tabIndex={0}
        aria-label="Moment"
        aria-valuemin={span.from}
        aria-valuemax={span.to}
        aria-valuenow={within(span, at)}
        aria-valuetext={text}
        aria-describedby={notes}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          moveTo(event)
        }}
        onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && moveTo(event)}
        className="cursor-pointer touch-none rounded py-1.5"
      >
        <div ref={track} className="relative h-6 rounded bg-track">
          <svg aria-hidden viewBox="0 0 400 1" preserveAspectRatio="none" className="absolute size-full">
            <path d={paths.off} className="fill-control opacity-50" />
            <g className="[&>path]:[stroke-width:2px] [&>path]:[vector-effect:non-scaling-stroke]">
              <path d={paths.warning} className="stroke-yellow-fill" />
              <path d={paths.critical} className="stroke-red-fill" />
            </g>
          </svg>
          <span
            aria-hidden
            className="absolute -inset-y-1 w-1 -translate-x-1/2 rounded-full bg-ink ring-2 ring-raised"
            style={{ left: `${place}%` }}
          />
        </div>
      </div>
      <Days span={span} />
      <p id={notes} className="sr-only">
        {marks && notesOf(marks)}
      </p>
    </div>
  )
}

const notesOf = ({ alerts, alertsFrom, off }: BarMarks) =>
  `${alertsFrom === undefined ? '' : 'The newest '}${counting(alerts.length, 'alert')}. Pulse was off ${counting(off.length, 'time')}.`

/** Below this share of the bar, the label of a day would touch that of an end. */
const edgePercent = 8

function Days({ span: { from, to } }: { span: Span }) {
  const days = daysIn(from, to).map((at) => ({ at, place: ((at - from) / (to - from)) * 100 }))
  const shown = days.filter(({ place }) => place > edgePercent && place < 100 - edgePercent)
  return (
    <div aria-hidden className="relative mt-1 flex h-4 justify-between text-2xs text-ink-3 tabular-nums">
      <span>{formatAxisTime(from, to - from)}</span>
      {shown.map(({ at, place }) => (
        <span key={at} className="absolute -translate-x-1/2 max-sm:hidden" style={{ left: `${place}%` }}>
          {formatAxisTime(at, Infinity)}
        </span>
      ))}
      <span>Now</span>
    </div>
  )
}
