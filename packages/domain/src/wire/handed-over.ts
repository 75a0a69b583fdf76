import type { DeltaFrame } from '@pulse/contract'

/**
 * Before a frame goes to another thread: columns of numbers become arrays of numbers alone, which are handed over as
 * they are; a list would be written out and read again. Tells what is to be handed over.
 */
export function handOver(frame: DeltaFrame): ArrayBuffer[] {
  if (frame.t !== 'patch') return []
  const moved: ArrayBuffer[] = []
  for (const columns of Object.values(frame.set ?? {})) {
    for (const column of Object.values(columns)) {
      const i = Uint32Array.from(column.i)
      moved.push(i.buffer)
      column.i = i
      if (!isFigures(column.v)) continue
      const v = Float64Array.from(column.v)
      moved.push(v.buffer)
      column.v = v
    }
  }
  return moved
}

const isFigures = (values: readonly unknown[] | Float64Array): values is number[] =>
  Array.isArray(values) && values.every((value) => typeof value === 'number')
