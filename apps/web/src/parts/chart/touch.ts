import type uPlot from 'uplot'

/** A shorter movement is a tap, as for the mouse. */
const leastPx = 6

/**
 * A finger that moves sideways draws a span. uPlot 1.6 listens to the mouse only, and the browser would take the
 * movement for scrolling, which it still does up and down.
 */
export function drawByTouch(plot: uPlot, onDrawn: (left: number, right: number) => void): () => void {
  const { over } = plot
  let start: number | undefined
  let isDrawing = false
  over.style.touchAction = 'pan-y pinch-zoom'

  const at = ({ clientX }: PointerEvent) => {
    const { left } = over.getBoundingClientRect()
    return Math.min(over.clientWidth, Math.max(0, clientX - left))
  }
  const end = () => {
    start = undefined
    isDrawing = false
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
    plot.setCursor({ left: -10, top: -10 })
  }
  const handlers = {
    pointerdown(event: PointerEvent) {
      if (event.pointerType === 'touch' && event.isPrimary) start = at(event)
    },
    pointermove(event: PointerEvent) {
      if (start === undefined || event.pointerType !== 'touch') return
      const now = at(event)
      isDrawing ||= Math.abs(now - start) >= leastPx
      if (!isDrawing) return
      const [left, width] = [Math.min(start, now), Math.abs(now - start)]
      plot.setCursor({ left: now, top: 0 })
      plot.setSelect({ left, top: 0, width, height: over.clientHeight }, false)
    },
    pointerup(event: PointerEvent) {
      if (start === undefined || event.pointerType !== 'touch') return
      const [from, to, isSpan] = [start, at(event), isDrawing]
      // a tap points with the crosshair, by the mouse events that follow it
      if (!isSpan) return void (start = undefined)
      end()
      onDrawn(Math.min(from, to), Math.max(from, to))
    },
    pointercancel: () => {
      if (start !== undefined) end()
    },
  }
  const all = Object.entries(handlers) as [string, EventListener][]
  for (const [name, handler] of all) over.addEventListener(name, handler)
  return () => {
    for (const [name, handler] of all) over.removeEventListener(name, handler)
  }
}
