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
  | 'beginPath'
  | 'moveTo'
  | 'lineTo'
  | 'fill'
  | 'stroke'
  | 'globalAlpha'
  | 'fillStyle'
  | 'strokeStyle'
  | 'lineWidth'
  | 'lineJoin'
>

const areaAlpha = 0.16
const edgeAlpha = 0.5

/** All lines at once, in one colour: an area for each stretch between gaps, and its upper edge. */
export function drawLines(surface: Surface, lines: readonly PlacedLine[], colour: string): void {
  surface.beginPath()
  for (const line of lines) trace(surface, line, true)
  surface.globalAlpha = areaAlpha
  surface.fillStyle = colour
  surface.fill()
  surface.beginPath()
  for (const line of lines) trace(surface, line, false)
  surface.globalAlpha = edgeAlpha
  surface.strokeStyle = colour
  surface.lineWidth = 1
  surface.lineJoin = 'round'
  surface.stroke()
}

/** Each minute has its share of the width, so that a single one between two gaps is visible, too. */
function trace(surface: Surface, line: PlacedLine, isArea: boolean): void {
  const { levels, left, width, top, bottom } = line
  const step = width / levels.length
  const heightOf = (level: number) => bottom - (level / highestLevel) * (bottom - top)
  for (let at = 0; at < levels.length; at++) {
    if (levels[at] === noLevel) continue
    const begin = left + at * step
    if (isArea) surface.moveTo(begin, bottom)
    if (isArea) surface.lineTo(begin, heightOf(levels[at]!))
    else surface.moveTo(begin, heightOf(levels[at]!))
    let last = at
    for (; at < levels.length && levels[at] !== noLevel; last = at++)
      surface.lineTo(left + (at + 0.5) * step, heightOf(levels[at]!))
    const end = left + (last + 1) * step
    surface.lineTo(end, heightOf(levels[last]!))
    if (isArea) surface.lineTo(end, bottom)
  }
}
