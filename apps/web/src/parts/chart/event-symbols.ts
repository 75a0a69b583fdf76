import type { EventSymbol } from './series.ts'

/** Corners of the symbols, in a box from -1 to 1. Canvas and legend draw the same ones. */
export const eventCorners: Record<EventSymbol, readonly (readonly [x: number, y: number])[]> = {
  backup: [
    [-0.8, -0.8],
    [0.8, -0.8],
    [0.8, 0.8],
    [-0.8, 0.8],
  ],
  power: [
    [0, -1],
    [1, 0.8],
    [-1, 0.8],
  ],
  move: [
    [0, -1],
    [1, 0],
    [0, 1],
    [-1, 0],
  ],
}
