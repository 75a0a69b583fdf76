import { type ReactNode, useEffect, useRef } from 'react'
import { tip } from '../../ui/tooltip.tsx'

interface NameLineProps {
  /** what must be seen: state, name, warnings */
  children: ReactNode
  /** shown as far as there is room, each whole or not at all */
  extras?: ReactNode
  /** all of the extras in words, for whoever points at what stands for them */
  hint?: string | undefined
  /**
   * stands for all extras while one of them has no room; by default an ellipsis stands for those that have none, and
   * with `false` nothing does: where nobody points at anything an ellipsis says nothing
   */
  substitute?: ReactNode
}

/** The name comes first: what does not fit beside it wraps below the edge, and something small stands for it. */
export function NameLine({ children, extras, hint, substitute }: NameLineProps) {
  const line = useRef<HTMLSpanElement>(null)
  const measured = useRef<string>(undefined)
  // Other extras in a box of the same size: whoever is observed anew is measured anew, and nobody else is.
  useEffect(() => {
    const box = line.current?.querySelector('[data-extras]')
    if (!box || box.textContent === measured.current) return
    if (measured.current !== undefined) {
      fitting?.unobserve(box)
      fitting?.observe(box)
    }
    measured.current = box.textContent
  })
  return (
    <span ref={line} className="group/name flex min-w-0 flex-1 items-center gap-1.5">
      <span className="flex min-w-0 items-center gap-1.5">{children}</span>
      {extras && (
        <>
          <span
            ref={follow}
            data-extras
            data-replaced={substitute !== undefined && substitute !== false}
            className="flex h-5 min-w-0 flex-1 flex-wrap items-center gap-x-1.5 overflow-hidden group-data-cut/name:data-[replaced=true]:opacity-0 [&>*]:my-px"
          >
            {/* stands first so that even the first extra can wrap away */}
            <span aria-hidden className="h-5 w-0 -mr-1.5" />
            {extras}
          </span>
          {substitute !== false && (
            <span
              aria-hidden
              data-substitute
              className="hidden h-5 shrink-0 items-center gap-1 text-xs text-ink-3 group-data-cut/name:inline-flex"
              {...tip(hint)}
            >
              {substitute ?? '…'}
            </span>
          )}
        </>
      )}
    </span>
  )
}

/** One for all lines; it reads every line before it changes one, so that the page is laid out once. */
let fitting: ResizeObserver | undefined

function follow(box: HTMLElement | null) {
  if (!box) return
  fitting ??= new ResizeObserver(fit)
  fitting.observe(box)
  return () => fitting?.unobserve(box)
}

function fit(entries: readonly ResizeObserverEntry[]) {
  const lines = entries.map(({ target }) => ({
    line: target.parentElement,
    // a second line of anything, not the margins of the first
    isCut: target.scrollHeight > target.clientHeight * 1.4,
  }))
  for (const { line, isCut } of lines) line?.toggleAttribute('data-cut', isCut)
}
