import { ChevronLeft, ChevronRight, SkipBack, SkipForward, X } from 'lucide-react'
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { tip } from '../../ui/tooltip.tsx'
import { formatMoment } from '../../lib/format.ts'
import { toFieldText } from '../../lib/time-fields.ts'
import type { Span } from '../../lib/times.ts'
import { moved, nextOf, within } from './steps.ts'
import { TimeBar } from './time-bar.tsx'
import { useMarks, type useReach } from './use-reach.ts'

interface StripProps {
  reach: ReturnType<typeof useReach>
  /** the moment that the user wants, epoch ms; undefined: now */
  at: number | undefined
  words: (at: number) => string
  onMove: (at: number) => void
  /** the button that opened it */
  openedBy: RefObject<HTMLElement | null>
  onClose: () => void
}

/** The controls of the time machine. */
export function Strip({ reach, onClose, ...controls }: StripProps) {
  const { data, error, refetch } = reach
  const span = data?.span
  const close = () => {
    onClose()
    controls.openedBy.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    event.stopPropagation()
    close()
  }
  return (
    <section aria-label="Time machine" onKeyDown={onKeyDown} className="border-b border-line bg-raised">
      <div className="frame relative flex flex-col gap-2 py-2 pr-12">
        {span ? (
          <Controls {...controls} span={span} />
        ) : error ? (
          <Notice
            tone="red"
            title="The history could not be reached"
            announce
            action={<Button onClick={() => void refetch()}>Retry</Button>}
          >
            {error.message}
          </Notice>
        ) : data ? (
          <Notice title="No history yet" announce>
            The first state is stored within a minute.
          </Notice>
        ) : (
          <Skeleton className="h-16 w-full" />
        )}
        <IconButton label="Close time machine" className="absolute top-2 right-2 sm:right-3" onClick={close}>
          <X aria-hidden size={16} />
        </IconButton>
      </div>
    </section>
  )
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

interface ControlsProps extends Omit<StripProps, 'reach' | 'onClose'> {
  span: Span
}

function Controls({ span, at: wanted, words, openedBy, onMove }: ControlsProps) {
  const at = wanted ?? span.to
  const { data: marks, error, refetch } = useMarks(span)
  const slider = useRef<HTMLDivElement>(null)
  // the arrow keys work at once, unless the focus has moved on since. Safari does not focus a button that is clicked
  useEffect(() => {
    const focused = document.activeElement
    if (focused === openedBy.current || focused === document.body)
      slider.current?.focus({ preventScroll: true })
  }, [openedBy])
  const step = (by: number) => () => onMove(moved(span, at, by))
  const begins = (marks?.alerts ?? []).map(
    ({ startTime }) => Math.ceil(Date.parse(startTime) / minuteMs) * minuteMs,
  )
  const jump = (way: 'before' | 'after') => {
    const found = nextOf(begins, at, way)
    return {
      disabled: found === undefined || found > span.to,
      onClick: () => found && onMove(within(span, found)),
    }
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <MomentField key={wanted ?? 'now'} at={at} span={span} onMove={onMove} />
        <div role="group" aria-label="Steps" className="flex items-center gap-1">
          <StepButton name="1 h back" onClick={step(-hourMs)}>
            <ChevronLeft aria-hidden size={14} />1 h
          </StepButton>
          <StepButton name="1 min back" onClick={step(-minuteMs)}>
            <ChevronLeft aria-hidden size={14} />1 min
          </StepButton>
          <StepButton name="1 min forward" onClick={step(minuteMs)}>
            1 min
            <ChevronRight aria-hidden size={14} />
          </StepButton>
          <StepButton name="1 h forward" onClick={step(hourMs)}>
            1 h<ChevronRight aria-hidden size={14} />
          </StepButton>
        </div>
        <div role="group" aria-label="Alerts" className="flex items-center gap-1">
          <StepButton name="Previous alert" {...jump('before')}>
            <SkipBack aria-hidden size={14} />
            <span className="max-sm:sr-only">Previous alert</span>
          </StepButton>
          <StepButton name="Next alert" {...jump('after')}>
            <span className="max-sm:sr-only">Next alert</span>
            <SkipForward aria-hidden size={14} />
          </StepButton>
        </div>
        {marks?.alertsFrom !== undefined && (
          <span className="text-xs text-ink-2">{`Alerts before ${formatMoment(marks.alertsFrom)} are not shown.`}</span>
        )}
        {error && (
          <span className="flex items-center gap-2 text-xs text-ink-2">
            Alerts could not be loaded: {error.message}
            <Button className="h-7" onClick={() => void refetch()}>
              Retry
            </Button>
          </span>
        )}
      </div>
      <TimeBar {...{ span, at, marks, onMove }} text={words(at)} handle={slider} />
    </>
  )
}

interface StepButtonProps {
  name: string
  disabled?: boolean
  onClick: () => void
  children: ReactNode
}

const StepButton = ({ name, ...button }: StepButtonProps) => (
  <Button variant="ghost" aria-label={name} className="px-2 text-xs" {...tip(name)} {...button} />
)

/** Date and time in the browser's time zone. Enter or Go moves there. */
function MomentField({ at, span, onMove }: { at: number; span: Span; onMove: (at: number) => void }) {
  // until something is typed it follows the present
  const [draft, setDraft] = useState<string>()
  const text = draft ?? toFieldText(at)
  const typed = Date.parse(text)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!Number.isNaN(typed)) onMove(within(span, typed))
  }
  return (
    <form noValidate onSubmit={submit} className="flex items-center gap-1">
      <input
        type="datetime-local"
        aria-label="Date and time"
        value={text}
        min={toFieldText(span.from)}
        max={toFieldText(span.to)}
        onChange={({ target }) => setDraft(target.value)}
        className="h-8 rounded-md border border-control bg-surface px-2 text-table text-ink tabular-nums"
      />
      <Button type="submit" disabled={Number.isNaN(typed)}>
        Go
      </Button>
    </form>
  )
}
