import { type ReactNode, useEffect, useRef } from 'react'
import { tip } from '../ui/tooltip.tsx'

interface NameLineProps {
  /** what must be seen: state, name, warnings */
  children: ReactNode
  /** shown as far as there is room, each whole or not at all */
  extras?: ReactNode
  /** all of the extras in words, for whoever points at what stands for them */
  hint?: string | undefined
  /** stands for all extras while one of them has no room; by default an ellipsis stands for those that have none */
  substitute?: ReactNode
}

/** The name comes first: what does not fit beside it wraps below the edge, and something small stands for it. */
export function NameLine({ children, extras, hint, substitute }: NameLineProps) {
  const box = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const element = box.current
    if (!element) return
    fitting ??= new ResizeObserver(fit)
    fitting.observe(element)
    return () => fitting?.unobserve(element)
  })
  return (
    <span className="group/name flex min-w-0 flex-1 items-center gap-1.5">
      <span className="flex min-w-0 items-center gap-1.5">{children}</span>
      {extras && (
        <>
          <span
            ref={box}
            data-extras
            data-replaced={substitute !== undefined}
            className="flex h-5 min-w-0 flex-1 flex-wrap items-center gap-x-1.5 overflow-hidden group-data-cut/name:data-[replaced=true]:opacity-0 [&>*]:my-px"
          >
            {/* stands first so that even the first extra can wrap away */}
            <span aria-hidden className="h-5 w-0 -mr-1.5" />
            {extras}
          </span>
          <span
            aria-hidden
            data-substitute
            className="hidden h-5 shrink-0 items-center gap-1 text-xs text-ink-3 group-data-cut/name:inline-flex"
            {...tip(hint)}
          >
            {substitute ?? '…'}
          </span>
        </>
      )}
    </span>
  )
}

/** One for all lines; it reads every line before it changes one, so that the page is laid out once. */
let fitting: ResizeObserver | undefined

function fit(entries: readonly ResizeObserverEntry[]) {
  const lines = entries.map(({ target }) => ({
    line: target.parentElement,
    // a second line of anything, not the margins of the first
    isCut: target.scrollHeight > target.clientHeight * 1.4,
  }))
  for (const { line, isCut } of lines) line?.toggleAttribute('data-cut', isCut)
}
