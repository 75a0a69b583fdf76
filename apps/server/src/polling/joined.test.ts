import fc from 'fast-check'
import { expect, test } from 'vitest'
import { COPY_BYTES, joinedInSteps } from './joined.ts'

/** The most bytes copied between two yields to the event loop. */
function longestRun(parts: Buffer[]) {
  let copied = 0
  const { set } = Buffer.prototype
  Buffer.prototype.set = function (this: Buffer, from: ArrayLike<number>, at?: number) {
    copied += from.length
    return set.call(this, from, at)
  }
  try {
    const work = joinedInSteps(parts)
    for (let longest = 0; ;) {
      const step = work.next()
      longest = Math.max(longest, copied)
      copied = 0
      if (step.done) return { longest, whole: step.value }
    }
  } finally {
    delete (Buffer.prototype as Partial<Buffer>).set
  }
}

test('joined a stretch at a time it is what it is in one go, and no step copies more than the measure', () => {
  const size = fc.oneof(fc.nat(300), fc.nat(3 * COPY_BYTES))
  fc.assert(
    fc.property(fc.array(size, { maxLength: 8 }), (sizes) => {
      const parts = sizes.map((bytes, n) => Buffer.alloc(bytes, n + 1))
      const { longest, whole } = longestRun(parts)
      expect(longest).toBeLessThanOrEqual(COPY_BYTES)
      expect(whole.equals(Buffer.concat(parts))).toBe(true)
    }),
    { numRuns: 30 },
  )
})
