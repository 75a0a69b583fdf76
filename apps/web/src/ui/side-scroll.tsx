import { type ReactNode, useCallback, useLayoutEffect, useRef } from 'react'

interface SideScrollProps {
  /** accessible name for keyboard scrolling; without it the content must be focusable */
  label?: string
  children: ReactNode
}

/** Scrolls sideways where needed; faded edges show that there is more. */
export function SideScroll({ label, children }: SideScrollProps) {
  const frame = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLDivElement>(null)

  const follow = useCallback(() => {
    const { left, right } = hiddenEdges(box.current!)
    frame.current!.toggleAttribute('data-left', left)
    frame.current!.toggleAttribute('data-right', right)
    if (label === undefined) return
    // focusable only while it can scroll
    if (left || right) box.current!.tabIndex = 0
    else box.current!.removeAttribute('tabindex')
  }, [label])

  useLayoutEffect(() => {
    const sizes = new ResizeObserver(follow)
    sizes.observe(box.current!)
    sizes.observe(box.current!.firstElementChild!)
    return () => sizes.disconnect()
  }, [follow])

  return (
    <div ref={frame} className="fade-edges">
      <div
        ref={box}
        {...(label !== undefined && { role: 'group', 'aria-label': label })}
        onScroll={follow}
        className="overflow-x-auto focus-visible:outline-offset-[-2px]"
      >
        {children}
      </div>
    </div>
  )
}

interface Scrolled {
  scrollLeft: number
  scrollWidth: number
  clientWidth: number
}

/** Ignores a pixel of rounding. */
export function hiddenEdges({ scrollLeft, scrollWidth, clientWidth }: Scrolled) {
  return { left: scrollLeft > 1, right: scrollLeft + clientWidth < scrollWidth - 1 }
}
