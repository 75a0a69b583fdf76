import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { usePhone } from '../../../parts/screen/use-media.ts'

/** Between the dock and the cell above it. */
const gapPx = 8

/**
 * Below a table, and above the banner of unsaved edits at the end of the window while the table is longer. Nothing
 * above it moves when it appears; an edited cell that it would cover is scrolled clear of it.
 */
export function Dock({ children }: { children: ReactNode }) {
  const phone = usePhone()
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const dock = element.current!
    const sizes = new ResizeObserver(() => uncover(dock))
    sizes.observe(dock)
    return () => sizes.disconnect()
  }, [])
  return (
    <div
      ref={element}
      // on phones it scrolls, which a keyboard must be able to do
      {...(phone && { tabIndex: 0, role: 'group', 'aria-label': 'Back-test' })}
      className="sticky bottom-16 z-10 border-t border-line bg-raised shadow-raised max-sm:bottom-28 max-sm:max-h-[35vh] max-sm:overflow-y-auto"
    >
      {children}
    </div>
  )
}

function uncover(dock: HTMLElement) {
  const edited = document.activeElement
  if (!edited || !dock.parentElement?.contains(edited) || dock.contains(edited)) return
  const coveredPx = edited.getBoundingClientRect().bottom + gapPx - dock.getBoundingClientRect().top
  if (coveredPx > 0) window.scrollBy({ top: coveredPx })
}
