import { type ReactNode, useCallback, useLayoutEffect, useRef } from 'react'

interface SideScrollProps {
  /** names it for those who scroll by keyboard; without one, something inside must take the focus */
  label?: string
  children: ReactNode
}

/** Scrolls sideways when it must; faded edges say where there is more. */
export function SideScroll({ label, children }: SideScrollProps) {
  const frame = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLDivElement>(null)

  const follow = useCallback(() => {
    const { left, right } = hiddenEdges(box.current!)
    frame.current!.toggleAttribute('data-left', left)
    frame.current!.toggleAttribute('data-right', right)
    if (label === undefined) return
    // a stop for the keyboard only while there is something to scroll
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

/** A pixel of rounding does not count as more. */
export function hiddenEdges({ scrollLeft, scrollWidth, clientWidth }: Scrolled) {
  return { left: scrollLeft > 1, right: scrollLeft + clientWidth < scrollWidth - 1 }
}
