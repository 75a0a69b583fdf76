import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import { cx } from './cx.ts'

interface FadeEdgesProps {
  /** names the area: it can be scrolled by keyboard */
  label: string
  children: ReactNode
  className?: string
  /** the scrolling element */
  ref?: Ref<HTMLElement>
}

/** Scrolls sideways; a faded edge says that there is more on that side. */
export function FadeEdges({ label, children, className, ref }: FadeEdgesProps) {
  const frame = useRef<HTMLDivElement>(null)
  const scroller = useRef<HTMLElement>(null)
  useImperativeHandle(ref, () => scroller.current!)

  useEffect(() => {
    const outer = frame.current!
    const inner = scroller.current!
    const update = () => {
      const { left, right } = hiddenEdges(inner)
      outer.toggleAttribute('data-left', left)
      outer.toggleAttribute('data-right', right)
      if (left || right) inner.tabIndex = 0
      else inner.removeAttribute('tabindex')
    }
    const sizes = new ResizeObserver(update)
    sizes.observe(inner)
    for (const child of inner.children) sizes.observe(child)
    inner.addEventListener('scroll', update, { passive: true })
    return () => {
      sizes.disconnect()
      inner.removeEventListener('scroll', update)
    }
  }, [])

  return (
    <div ref={frame} className={cx('fade-edges', className)}>
      <section ref={scroller} aria-label={label} className="overflow-x-auto">
        {children}
      </section>
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
