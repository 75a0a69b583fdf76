import { type RefObject, useCallback, useLayoutEffect } from 'react'
import { hiddenEdges } from '../../ui/side-scroll.tsx'

type BoxRef = RefObject<HTMLElement | null>

interface SidewaysOptions {
  frameRef: BoxRef
  headRef: BoxRef
  bodyRef: BoxRef
  phone: boolean
}

/**
 * Synchronizes the horizontal scroll positions of the sticky head and the body, because focus on a hidden
 * column scrolls the head. Faded edges show that there is more.
 */
export function useSideways({ frameRef, headRef, bodyRef, phone }: SidewaysOptions) {
  const follow = useCallback(() => {
    const body = bodyRef.current
    if (!body) return
    if (headRef.current) headRef.current.scrollLeft = body.scrollLeft
    const { left, right } = hiddenEdges(body)
    frameRef.current?.toggleAttribute('data-left', left && !phone)
    frameRef.current?.toggleAttribute('data-right', right && !phone)
  }, [frameRef, headRef, bodyRef, phone])

  useLayoutEffect(() => {
    const sizes = new ResizeObserver(follow)
    sizes.observe(bodyRef.current!)
    return () => sizes.disconnect()
  }, [bodyRef, follow])

  const onHeadScroll = useCallback(() => {
    if (bodyRef.current && headRef.current) bodyRef.current.scrollLeft = headRef.current.scrollLeft
  }, [bodyRef, headRef])

  return { onBodyScroll: follow, onHeadScroll }
}
