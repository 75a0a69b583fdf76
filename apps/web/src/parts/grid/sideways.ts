import { type RefObject, useCallback, useLayoutEffect } from 'react'
import { hiddenEdges } from '../../ui/fade-edges.ts'

type BoxRef = RefObject<HTMLElement | null>

interface SidewaysOptions {
  frameRef: BoxRef
  headRef: BoxRef
  bodyRef: BoxRef
  phone: boolean
}

/** The head stays on top of the window and follows its body sideways; faded edges say where there is more. */
export function useSideways({ frameRef, headRef, bodyRef, phone }: SidewaysOptions): () => void {
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

  return follow
}
