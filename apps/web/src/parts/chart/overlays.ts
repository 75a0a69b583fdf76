import type uPlot from 'uplot'
import type { Span } from '../../lib/times.ts'
import { eventCorners } from './event-symbols.ts'
import { type ChartData, type EventSymbol, type GapReason, toneVariable } from './series.ts'

interface Paint {
  /** the colour of a theme variable */
  colour: (variable: string) => string
  /** of the font */
  family: string
}

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

/** px at the density of the screen */
const scaled = (px: number) => px * devicePixelRatio
const hatchPx = 7

/** Behind the lines: gaps, each in the pattern of its reason, and what happened for a while. */
export function drawBelow(plot: uPlot, { gaps, events = [] }: ChartData, { colour }: Paint): void {
  const { ctx } = plot
  for (const event of events) {
    const box = event.to > event.from ? boxOf(plot, event) : undefined
    if (!box) continue
    ctx.save()
    ctx.globalAlpha = 0.5
    ctx.fillStyle = colour('--pale')
    ctx.fillRect(box.left, box.top, box.right - box.left, box.bottom - box.top)
    ctx.restore()
  }
  for (const gap of gaps) {
    const box = boxOf(plot, gap)
    if (!box) continue
    ctx.save()
    ctx.beginPath()
    ctx.rect(box.left, box.top, box.right - box.left, box.bottom - box.top)
    ctx.clip()
    ctx.fillStyle = colour('--track')
    ctx.strokeStyle = colour('--line-strong')
    ctx.lineWidth = scaled(1)
    patterns[gap.reason](ctx, box)
    ctx.restore()
  }
}

const patterns: Record<GapReason, (ctx: CanvasRenderingContext2D, box: Box) => void> = {
  stopped: (ctx, { left, right, top, bottom }) => ctx.fillRect(left, top, right - left, bottom - top),
  // its words say it
  gone() {},
  silent(ctx, { left, right, top, bottom }) {
    const height = bottom - top
    ctx.beginPath()
    for (let x = left - height; x < right; x += scaled(hatchPx)) {
      ctx.moveTo(x, bottom)
      ctx.lineTo(x + height, top)
    }
    ctx.stroke()
  },
  off(ctx, { left, right, top, bottom }) {
    ctx.setLineDash([scaled(1), scaled(4)])
    ctx.beginPath()
    for (let y = top + scaled(hatchPx) / 2; y < bottom; y += scaled(hatchPx)) {
      ctx.moveTo(left, y)
      ctx.lineTo(right, y)
    }
    ctx.stroke()
    ctx.setLineDash([])
  },
}

function drawWords(ctx: CanvasRenderingContext2D, box: Box, words: string, { colour, family }: Paint): void {
  ctx.font = `${scaled(11)}px ${family}`
  const width = ctx.measureText(words).width
  const pad = scaled(4)
  if (!(width + 4 * pad < box.right - box.left)) return
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
  ctx.fillStyle = colour('--sunken')
  ctx.fillRect(x - width / 2 - pad, y - scaled(8), width + 2 * pad, scaled(16))
  ctx.fillStyle = colour('--ink-2')
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  ctx.fillText(words, x, y)
}

/** In front of the lines: the words of gaps if they fit, limits across, a mark at each alert, and a symbol at each event. */
export function drawAbove(plot: uPlot, data: ChartData, paint: Paint): void {
  const { span, gaps, limits = [], marks = [], events = [] } = data
  const { colour } = paint
  const { ctx, bbox } = plot
  ctx.save()
  for (const gap of gaps) {
    const box = boxOf(plot, gap)
    if (box) drawWords(ctx, box, gap.words, paint)
  }
  ctx.lineWidth = scaled(1)
  ctx.setLineDash([scaled(4), scaled(3)])
  ctx.strokeStyle = colour('--red-fill')
  for (const { value } of limits) {
    if (value > (plot.scales['y']!.max ?? 0)) continue
    const y = Math.round(plot.valToPos(value, 'y', true))
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
  }
  ctx.setLineDash([])
  for (const { at, tone } of marks) {
    if (at < span.from || at > span.to) continue
    const x = Math.round(plot.valToPos(at, 'x', true))
    const size = scaled(5)
    ctx.fillStyle = colour(toneVariable[tone])
    ctx.strokeStyle = colour(toneVariable[tone])
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    ctx.beginPath()
    ctx.moveTo(x - size, bbox.top)
    ctx.lineTo(x + size, bbox.top)
    ctx.lineTo(x, bbox.top + 1.6 * size)
    ctx.fill()
  }
  for (const { from, symbol } of events) {
    if (from < span.from || from > span.to) continue
    drawEvent(plot, Math.round(plot.valToPos(from, 'x', true)), symbol, colour)
  }
  ctx.restore()
}

/** A dotted line, and the symbol at its lower end. Alerts have theirs at the upper one. */
function drawEvent({ ctx, bbox }: uPlot, x: number, symbol: EventSymbol, colour: Paint['colour']): void {
  const size = scaled(4)
  const y = bbox.top + bbox.height - 1.5 * size
  ctx.strokeStyle = colour('--ink-3')
  ctx.setLineDash([scaled(1), scaled(3)])
  ctx.beginPath()
  ctx.moveTo(x, bbox.top)
  ctx.lineTo(x, y)
  ctx.stroke()
  ctx.setLineDash([])
  ctx.fillStyle = colour('--ink-2')
  ctx.beginPath()
  for (const [n, [dx, dy]] of eventCorners[symbol].entries()) {
    if (n === 0) ctx.moveTo(x + dx * size, y + dy * size)
    else ctx.lineTo(x + dx * size, y + dy * size)
  }
  ctx.closePath()
  ctx.fill()
}

/** The visible part of a time, at least a pixel wide. */
function boxOf(plot: uPlot, { from, to }: Span): Box | undefined {
  const { left, top, width, height } = plot.bbox
  const [start, end] = [plot.valToPos(from, 'x', true), plot.valToPos(to, 'x', true)]
  if (!(end > left && start < left + width)) return undefined
  const visible = Math.max(left, start)
  return {
    left: visible,
    right: Math.max(visible + 1, Math.min(left + width, end)),
    top,
    bottom: top + height,
  }
}
