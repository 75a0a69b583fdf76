import { type ReactNode, useEffect, useRef } from 'react'
import { tip } from '../../ui/tooltip.tsx'

interface NameLineProps {
  /** always visible: state, name, warnings */
  children: ReactNode
  /** shown if they fit, each one completely or not at all */
  extras?: ReactNode
  /** text of all extras, for the tooltip of the substitute */
  hint?: string | undefined
  /**
   * replaces all extras while one of them does not fit. By default an ellipsis replaces only those that do
   * not fit. With `false` nothing does, because without a pointer an ellipsis has no tooltip
   */
  substitute?: ReactNode
}

/** A name with extras. Extras that do not fit wrap below the visible line, and a substitute replaces them. */
export function NameLine({ children, extras, hint, substitute }: NameLineProps) {
  const line = useRef<HTMLSpanElement>(null)
  const measured = useRef<string>(undefined)
  // Other extras may leave the box at the same size, so observing it again triggers a measurement of this
  // box.
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
            {/* lets even the first extra wrap */}
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

/**
 * One observer for all lines. It reads all lines before it changes one, so that the browser lays out the page
 * once.
 */
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
    // a second line of content, not the margins of the first
    isCut: target.scrollHeight > target.clientHeight * 1.4,
  }))
  for (const { line, isCut } of lines) line?.toggleAttribute('data-cut', isCut)
}
