import { type RefObject, useLayoutEffect } from 'react'
import { hiddenEdges } from '../../ui/fade-edges.tsx'

type Box = RefObject<HTMLElement | null>

/** The head stays on top of the window and follows its body sideways; faded edges say where there is more. */
export function useSideways(frame: Box, head: Box, body: Box, phone: boolean): () => void {
  const update = () => {
    const scroller = body.current
    if (!scroller) return
    if (head.current) head.current.scrollLeft = scroller.scrollLeft
    const { left, right } = hiddenEdges(scroller)
    frame.current?.toggleAttribute('data-left', left && !phone)
    frame.current?.toggleAttribute('data-right', right && !phone)
  }

  useLayoutEffect(() => {
    const sizes = new ResizeObserver(update)
    sizes.observe(body.current!)
    return () => sizes.disconnect()
  })

  return update
}
