import { expect, test } from 'vitest'
import { machineTracks } from '../../parts/nodes/machine-tracks.ts'
import { type PoolColumn, poolColumns } from './pool-columns.tsx'

const texts = (columns: readonly PoolColumn[]) => columns.map(({ header }) => header)

test('[spec 1 §2] the columns; that a storage is shared stands below the head of its node only', () => {
  const always = ['Storage', 'Type', 'Content', 'Status', 'Usage', 'Free', 'Total', 'Full in']
  expect(texts(poolColumns('node'))).toEqual([...always, 'Shared'])
  expect(texts(poolColumns('storage'))).toEqual(always)
})

/** Splits into fixed widths, in rem, and flexible ones. */
function split(tracks: readonly string[]) {
  const all = tracks.flatMap((track) => track.match(/minmax\([^)]*\)+|\S+/g)!)
  const isFixed = (track: string) => /^[\d.]+rem$/.test(track)
  return {
    fixed: all.filter(isFixed).reduce((sum, track) => sum + Number.parseFloat(track), 0),
    growing: all.filter((track) => !isFixed(track)),
  }
}

test.each(['node', 'storage'] as const)(
  'by %s the bar and the figures stand below those of the nodes',
  (by) => {
    const { name, type, vmid, uptime, usage, rate } = machineTracks
    const columns = poolColumns(by)
    const at = columns.findIndex(({ id }) => id === 'usage')
    const left = columns.slice(0, at).map(({ track }) => track)
    const right = columns.slice(at).map(({ track }) => track)
    expect(split(left)).toEqual(split([name, type, vmid, uptime, usage, usage]))
    expect(right.join(' ')).toBe([usage, rate, rate, rate, rate].join(' '))
  },
)
