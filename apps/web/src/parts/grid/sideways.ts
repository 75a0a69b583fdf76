import { type RefObject, useCallback, useLayoutEffect } from 'react'
import { hiddenEdges } from '../../ui/fade-edges.ts'

type BoxRef = RefObject<HTMLElement | null>

interface SidewaysOptions {
  frameRef: BoxRef
  headRef: BoxRef
  bodyRef: BoxRef
  phone: boolean
}

/**
 * The head stays on top of the window and goes sideways with its body, whichever of them was moved: the focus of a
 * column out of sight moves the head. Faded edges say where there is more.
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
