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
 * Keeps the horizontal scroll positions of the sticky head and the body equal, whichever of them scrolls: focus on a
 * column out of sight scrolls the head. Faded edges show where there is more.
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
