import { highestLevel, noLevel } from './lines.ts'

/** A line and the box that it is drawn in. */
export interface PlacedLine {
  levels: Uint8Array
  left: number
  width: number
  top: number
  bottom: number
}

type Surface = Pick<
  CanvasRenderingContext2D,
  'beginPath' | 'moveTo' | 'lineTo' | 'fill' | 'globalAlpha' | 'fillStyle'
>

/** The most with which the palest text of a table keeps its contrast of 4.5 in both themes. */
const alpha = 0.22
/** px; a figure of almost zero is visible */
const leastHeight = 1

/**
 * All lines at once, each as the area below it. An edge in a stronger colour would cross the figures like a
 * line through them.
 */
export function drawLines(surface: Surface, lines: readonly PlacedLine[], colour: string): void {
  surface.beginPath()
  for (const line of lines) trace(surface, line)
  surface.globalAlpha = alpha
  surface.fillStyle = colour
  surface.fill()
}

/** Each minute has its share of the width, so that a single one between two gaps is visible, too. */
function trace(surface: Surface, { levels, left, width, top, bottom }: PlacedLine): void {
  const step = width / levels.length
  const heightOf = (level: number) => bottom - Math.max(leastHeight, (level / highestLevel) * (bottom - top))
  for (let at = 0; at < levels.length; at++) {
    if (levels[at] === noLevel) continue
    const begin = left + at * step
    surface.moveTo(begin, bottom)
    surface.lineTo(begin, heightOf(levels[at]!))
    let last = at
    for (; at < levels.length && levels[at] !== noLevel; last = at++)
      surface.lineTo(left + (at + 0.5) * step, heightOf(levels[at]!))
    const end = left + (last + 1) * step
    surface.lineTo(end, heightOf(levels[last]!))
    surface.lineTo(end, bottom)
  }
}
