import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { place } from './place.ts'
import { plainText, tooltipMaxWidth } from './tooltip.tsx'

const openDelayMs = 250
const closeDelayMs = 100

/** One tooltip for the whole page: thousands of cells with a tooltip cost nothing until one is pointed at. */
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

  return target && createPortal(<Bubble id={id} target={target} />, document.body)
}

function Bubble({ id, target }: { id: string; target: HTMLElement }) {
  const bubble = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    const element = bubble.current!
    const { innerWidth: width, innerHeight: height } = window
    const spot = place(
      target.getBoundingClientRect(),
      element.getBoundingClientRect(),
      { width, height },
      {
        side: 'top',
        align: 'center',
      },
    )
    element.style.left = `${spot.left}px`
    element.style.top = `${spot.top}px`
  })

  return (
    <div
      ref={bubble}
      id={id}
      role="tooltip"
      data-tip-bubble
      className="appear fixed top-0 left-0 z-50 w-max rounded-md border border-line bg-raised px-2 py-1 text-xs whitespace-pre-line text-ink shadow-raised"
      style={{ maxWidth: Number(target.dataset.tipWidth) || tooltipMaxWidth, overflowWrap: 'anywhere' }}
    >
      {plainText(target.dataset.tip ?? '')}
    </div>
  )
}

/** Pointing and keyboard focus open; leaving, Escape, pressing and scrolling close. */
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
      // nobody else's: not even that of others who listen where this does
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
