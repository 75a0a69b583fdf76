import type { Guest } from '@pulse/contract'
import { toneOf } from '../../lib/tones.ts'
import type { LiveReader } from '../../live/store.ts'

const figures = [
  { path: 'cpu', isRed: (value: number) => toneOf('cpu', value * 100) === 'red' },
  { path: 'memory.used', isRed: (value: number, { memory }: Guest) => isFull('memory', value, memory) },
  { path: 'disk.used', isRed: (value: number, { disk }: Guest) => isFull('disk', value, disk) },
] as const

const isFull = (scale: 'memory' | 'disk', used: number, of: { total: number } | undefined) =>
  of !== undefined && of.total > 0 && toneOf(scale, (used / of.total) * 100) === 'red'

/** Most of an update are these figures, and hardly one of them comes into the red or leaves it. */
export const redPaths: ReadonlySet<string> = new Set(figures.map(({ path }) => path))

/** Which figures of guests are in the red, told without looking at every guest that brings one. */
export function createRedFigures() {
  const red = Object.fromEntries(figures.map(({ path }) => [path, new Set<string>()]))

  return {
    /** A guest that is looked at as a whole; or one that is gone. */
    note(id: string, guest: Guest | undefined): void {
      for (const { path, isRed } of figures) {
        const value =
          path === 'cpu' ? guest?.cpu : path === 'disk.used' ? guest?.disk?.used : guest?.memory?.used
        if (guest && value !== undefined && isRed(value, guest)) red[path]!.add(id)
        else red[path]!.delete(id)
      }
    },
    /** Those of which a figure came into the red since that version, or left it. */
    crossed(live: LiveReader, version: number): string[] {
      const found: string[] = []
      for (const { path, isRed } of figures) {
        // its total is as before: who gets another one is looked at as a whole
        live.eachChanged('guests', version, path, (id, value, before) => {
          const now = typeof value === 'number' && isRed(value, before as Guest)
          if (now !== red[path]!.has(id)) found.push(id)
        })
      }
      return found
    },
  }
}
