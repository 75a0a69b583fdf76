import { expect, test } from 'vitest'
import { drawLines } from './draw.ts'
import { highestLevel, noLevel } from './lines.ts'

/** Records the points of each path that was filled, and the colour. */
function aSurface() {
  const filled: { colour: unknown; paths: [number, number][][] }[] = []
  let paths: [number, number][][] = []
  const surface = {
    globalAlpha: 1,
    fillStyle: '' as CanvasRenderingContext2D['fillStyle'],
    beginPath: () => void (paths = []),
    moveTo: (x: number, y: number) => void paths.push([[x, y]]),
    lineTo: (x: number, y: number) => void paths.at(-1)!.push([x, y]),
    fill: () => void filled.push({ colour: surface.fillStyle, paths }),
  }
  return { surface, filled }
}

const box = { left: 10, width: 40, top: 0, bottom: 51 }
const line = (...levels: number[]) => ({ ...box, levels: Uint8Array.from(levels) })

test('[M 3.2] all lines are one draw in one colour', () => {
  const { surface, filled } = aSurface()
  drawLines(
    surface,
    Array.from({ length: 250 }, () => line(1, 2, 3, 4)),
    'grey',
  )
  expect(filled.map(({ colour, paths }) => [colour, paths.length])).toEqual([['grey', 250]])
})

test('[M 3.2] an area has the height of its levels, and almost nothing is visible', () => {
  const { surface, filled } = aSurface()
  drawLines(surface, [line(0, highestLevel, 17, 17)], 'grey')
  expect(filled[0]!.paths).toEqual([
    [
      [10, 51],
      [10, 50],
      [15, 50],
      [25, 0],
      [35, 34],
      [45, 34],
      [50, 34],
      [50, 51],
    ],
  ])
})

test('[M 3.2] a gap stays empty, and a minute between two gaps is visible', () => {
  const { surface, filled } = aSurface()
  drawLines(surface, [line(noLevel, 17, noLevel, 34)], 'grey')
  expect(filled[0]!.paths).toEqual([
    [
      [20, 51],
      [20, 34],
      [25, 34],
      [30, 34],
      [30, 51],
    ],
    [
      [40, 51],
      [40, 17],
      [45, 17],
      [50, 17],
      [50, 51],
    ],
  ])
})

test('without a single sample nothing is drawn', () => {
  const { surface, filled } = aSurface()
  drawLines(surface, [line(noLevel, noLevel)], 'grey')
  expect(filled.map(({ paths }) => paths)).toEqual([[]])
})
