import type { PlacedRow } from '../grid/grid.tsx'
import { drawLines, type PlacedLine } from './draw.ts'
import { heightsIn, type Place } from './places.ts'

/** The canvas grows and shrinks in steps, because another size costs an allocation. */
const sizeStep = 256
/** px; further rows have no trends. Only rows with opened details between them are this far apart. */
const mostHeight = 4_096

/** What is drawn. */
export interface Scene {
  rows: readonly PlacedRow[]
  /** a level for each minute; undefined without history */
  lineOf: (key: string, field: string) => Uint8Array | undefined
  phone: boolean
}

export interface Painter {
  show(scene: Scene): void
  place(places: readonly Place[]): void
  /** the colours are other ones */
  refresh(): void
  stop(): void
}

/** Draws all lines of a table at once: at most once per frame, and only after something has changed. */
export function createPainter(canvas: HTMLCanvasElement): Painter {
  let scene: Scene | undefined
  let places: readonly Place[] = []
  let colour: string | undefined
  let frame: number | undefined

  function paint() {
    frame = undefined
    colour ??= getComputedStyle(document.documentElement).getPropertyValue('--bar').trim()
    paintScene(canvas, scene!, places, colour)
  }

  function schedule() {
    if (scene) frame ??= requestAnimationFrame(paint)
  }

  return {
    show(next) {
      const isSame = scene !== undefined && sameScene(scene, next)
      scene = next
      if (!isSame) schedule()
    },
    place(next) {
      const isSame = places.length === next.length && places.every((one, at) => samePlace(one, next[at]!))
      places = next
      if (!isSame) schedule()
    },
    refresh() {
      colour = undefined
      schedule()
    },
    stop() {
      if (frame !== undefined) cancelAnimationFrame(frame)
    },
  }
}

function paintScene(
  canvas: HTMLCanvasElement,
  { rows, lineOf, phone }: Scene,
  places: readonly Place[],
  colour: string,
): void {
  const near = neighbours(rows)
  const lines = near.flatMap((row) =>
    places.flatMap(({ field, left, width }): PlacedLine[] => {
      const levels = lineOf(row.key, field)
      return levels ? [{ levels, left, width, ...heightsIn(row, phone) }] : []
    }),
  )
  const box = boxOf(near, places)
  const ratio = window.devicePixelRatio
  fit(canvas, box, ratio)
  // A browser without memory for a canvas has no surface.
  const surface = canvas.getContext('2d')
  if (!surface) return
  surface.setTransform(1, 0, 0, 1, 0, 0)
  surface.clearRect(0, 0, canvas.width, canvas.height)
  if (lines.length === 0) return
  surface.setTransform(ratio, 0, 0, ratio, -box.left * ratio, -box.top * ratio)
  drawLines(surface, lines, colour)
}

/** The part of the table that has trends. */
function boxOf(rows: readonly TrendRow[], places: readonly Place[]): Box {
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last || places.length === 0) return { left: 0, top: 0, width: 0, height: 0 }
  const left = Math.floor(Math.min(...places.map((place) => place.left)))
  const right = Math.ceil(Math.max(...places.map((place) => place.left + place.width)))
  return { left, top: first.top, width: right - left, height: last.top + last.height - first.top }
}

interface Box {
  left: number
  top: number
  width: number
  height: number
}

/** Setting the size of a canvas clears it, even if the size is the same. */
function fit(canvas: HTMLCanvasElement, { left, top, width, height }: Box, ratio: number): void {
  const high = Math.ceil(height / sizeStep) * sizeStep
  const px = { left, top, width, height: high }
  for (const [name, value] of Object.entries(px)) canvas.style.setProperty(name, `${value}px`)
  const pixels = { width: Math.round(width * ratio), height: Math.round(high * ratio) }
  if (canvas.width !== pixels.width) canvas.width = pixels.width
  if (canvas.height !== pixels.height) canvas.height = pixels.height
}

type TrendRow = PlacedRow & { height: number }

/**
 * The longest stretch of rows that follow one another: the row with the keyboard focus may be far away. Only
 * records have a known height and trends.
 */
export function neighbours(rows: readonly PlacedRow[]): readonly TrendRow[] {
  const stretches: PlacedRow[][] = []
  for (const row of rows) {
    const stretch = stretches.at(-1)
    if (stretch?.at(-1)?.index === row.index - 1) stretch.push(row)
    else stretches.push([row])
  }
  const longest = stretches.reduce<PlacedRow[]>((most, one) => (one.length > most.length ? one : most), [])
  const records = longest.filter((row): row is TrendRow => row.height !== undefined)
  const begin = records[0]?.top ?? 0
  return records.filter(({ top, height }) => top + height - begin <= mostHeight)
}

const sameScene = (a: Scene, b: Scene): boolean =>
  a.lineOf === b.lineOf && a.phone === b.phone && sameRows(a.rows, b.rows)

const sameRows = (a: readonly PlacedRow[], b: readonly PlacedRow[]): boolean =>
  a.length === b.length &&
  a.every(({ key, top, height }, at) => {
    const other = b[at]!
    return key === other.key && top === other.top && height === other.height
  })

const samePlace = (a: Place, b: Place): boolean =>
  a.field === b.field && a.left === b.left && a.width === b.width
