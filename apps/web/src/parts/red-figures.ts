import type { Guest } from '@pulse/contract'
import { toneOf } from '../lib/tones.ts'
import type { LiveReader } from '../live/store.ts'

const figures = [
  { path: 'cpu', isRed: (value: number) => toneOf('cpu', value * 100) === 'red' },
  { path: 'memory.used', isRed: (value: number, { memory }: Totals) => isFull('memory', value, memory) },
  { path: 'disk.used', isRed: (value: number, { disk }: Totals) => isFull('disk', value, disk) },
] as const

type Totals = Record<'memory' | 'disk', number>

const isFull = (scale: keyof Totals, used: number, total: number) =>
  total > 0 && toneOf(scale, (used / total) * 100) === 'red'

/** Most of an update are these figures, and hardly one of them comes into the red or leaves it. */
export const redPaths: ReadonlySet<string> = new Set(figures.map(({ path }) => path))

/** Which figures of guests are in the red, told without looking at every guest that brings one. */
export function createRedFigures() {
  const totals = new Map<string, Totals>()
  const red = Object.fromEntries(figures.map(({ path }) => [path, new Set<string>()]))

  return {
    /** A guest that is looked at as a whole; or one that is gone. */
    note(id: string, guest: Guest | undefined): void {
      const { cpu, memory, disk } = guest ?? {}
      const own = { memory: memory?.total ?? 0, disk: disk?.total ?? 0 }
      const values = { cpu, 'memory.used': memory?.used, 'disk.used': disk?.used }
      if (guest) totals.set(id, own)
      else totals.delete(id)
      for (const { path, isRed } of figures) {
        if (isRed(values[path] ?? 0, own)) red[path]!.add(id)
        else red[path]!.delete(id)
      }
    },
    /** Those of which a figure came into the red since that version, or left it. */
    crossed(live: LiveReader, version: number): string[] {
      const found: string[] = []
      for (const { path, isRed } of figures) {
        live.eachChanged('guests', version, path, (id, value) => {
          const own = totals.get(id)
          const now = own !== undefined && typeof value === 'number' && isRed(value, own)
          if (now !== red[path]!.has(id)) found.push(id)
        })
      }
      return found
    },
  }
}
