import { expect, test } from 'vitest'
import { drawLines } from './draw.ts'
import { highestLevel, noLevel } from './lines.ts'

/** Records the points of each path, and what was done with it. */
function aSurface() {
  const done: { how: string; colour: unknown; paths: [number, number][][] }[] = []
  let paths: [number, number][][] = []
  const surface = {
    globalAlpha: 1,
    fillStyle: '' as CanvasRenderingContext2D['fillStyle'],
    strokeStyle: '' as CanvasRenderingContext2D['strokeStyle'],
    lineWidth: 1,
    lineJoin: 'miter' as CanvasLineJoin,
    beginPath: () => void (paths = []),
    moveTo: (x: number, y: number) => void paths.push([[x, y]]),
    lineTo: (x: number, y: number) => void paths.at(-1)!.push([x, y]),
    fill: () => void done.push({ how: 'fill', colour: surface.fillStyle, paths }),
    stroke: () => void done.push({ how: 'stroke', colour: surface.strokeStyle, paths }),
  }
  return { surface, done }
}

const box = { left: 10, width: 40, top: 0, bottom: 51 }
const line = (...levels: number[]) => ({ ...box, levels: Uint8Array.from(levels) })

test('[M 3.2] all lines are one area and one edge, in one colour', () => {
  const { surface, done } = aSurface()
  drawLines(
    surface,
    Array.from({ length: 250 }, () => line(1, 2, 3, 4)),
    'grey',
  )
  expect(done.map(({ how, colour, paths }) => [how, colour, paths.length])).toEqual([
    ['fill', 'grey', 250],
    ['stroke', 'grey', 250],
  ])
})

test('[M 3.2] a line has the height of its levels, and its area stands on the ground', () => {
  const { surface, done } = aSurface()
  drawLines(surface, [line(0, highestLevel, 17, 17)], 'grey')
  const edge = [
    [10, 51],
    [15, 51],
    [25, 0],
    [35, 34],
    [45, 34],
    [50, 34],
  ]
  expect(done[1]!.paths).toEqual([edge])
  expect(done[0]!.paths).toEqual([[[10, 51], ...edge, [50, 51]]])
})

test('[M 3.2] a gap stays empty, and a minute between two gaps is visible', () => {
  const { surface, done } = aSurface()
  drawLines(surface, [line(noLevel, 17, noLevel, 34)], 'grey')
  expect(done[1]!.paths).toEqual([
    [
      [20, 34],
      [25, 34],
      [30, 34],
    ],
    [
      [40, 17],
      [45, 17],
      [50, 17],
    ],
  ])
})

test('without a single sample nothing is drawn', () => {
  const { surface, done } = aSurface()
  drawLines(surface, [line(noLevel, noLevel)], 'grey')
  expect(done.map(({ paths }) => paths)).toEqual([[], []])
})
