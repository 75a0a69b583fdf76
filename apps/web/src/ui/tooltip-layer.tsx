import { useEffect, useId, useState } from 'react'
import { lazyPart } from './code/lazy-part.tsx'

const openDelayMs = 250
const closeDelayMs = 100

/** Loaded before the first tooltip opens. Without it only tooltips are missing. */
export const TooltipBubble = lazyPart('Tooltip', () => import('./tooltip-bubble.tsx'), {
  renderFailure: () => null,
})

/**
 * One tooltip for the whole page. A Base UI trigger in each of thousands of cells would add a component with
 * effects to every row. An attribute costs nothing until the pointer reaches it.
 */
export function TooltipLayer() {
  const [target, setTarget] = useState<HTMLElement>()
  const id = useId()
  useTargets(setTarget)

  useEffect(() => {
    if (!target) return
    const before = target.getAttribute('aria-describedby')
    target.setAttribute('aria-describedby', before ? `${before} ${id}` : id)
    return () => {
      if (before) target.setAttribute('aria-describedby', before)
      else target.removeAttribute('aria-describedby')
    }
  }, [target, id])

  return target && <TooltipBubble id={id} target={target} />
}

/** Hover and keyboard focus open it. Leaving, Escape, a press and scrolling close it. */
function useTargets(setTarget: (target: HTMLElement | undefined) => void) {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let shown: HTMLElement | undefined

    const show = (next: HTMLElement | undefined, delayMs: number) => {
      clearTimeout(timer)
      if (next === shown) return
      timer = setTimeout(() => setTarget((shown = next?.isConnected ? next : undefined)), delayMs)
    }
    const hide = () => {
      clearTimeout(timer)
      if (shown) setTarget((shown = undefined))
    }
    const tipOf = (event: Event) => {
      const element = event.target instanceof Element ? event.target : undefined
      if (element?.closest('[data-tip-bubble]')) return shown
      return element?.closest<HTMLElement>('[data-tip]') ?? undefined
    }
    const onOver = (event: PointerEvent) => {
      const next = tipOf(event)
      show(next, next ? openDelayMs : closeDelayMs)
    }
    const onFocus = (event: FocusEvent) => {
      const next = tipOf(event)
      if (next?.matches(':focus-visible')) show(next, 0)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !shown) return
      // no other listener may handle this Escape, not even another one on the document
      event.stopImmediatePropagation()
      event.preventDefault()
      hide()
    }

    const stop = new AbortController()
    const options = { signal: stop.signal, capture: true, passive: true }
    document.addEventListener('pointerover', onOver, options)
    document.addEventListener('focusin', onFocus, options)
    document.addEventListener('focusout', hide, options)
    document.addEventListener('keydown', onKey, { ...options, passive: false })
    document.addEventListener('pointerdown', hide, options)
    document.addEventListener('scroll', hide, options)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [setTarget])
}
