import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createResponseSizeLimiter } from './response-size-limiter.ts'

const KB = 1024

test('[R19] of many floods two are read at a time; what is usual is never held up', () => {
  const responseSizeLimiter = createResponseSizeLimiter(2)
  const paused = new Set<number>()
  const open = (n: number, usual = 100 * KB) =>
    responseSizeLimiter.open(usual, { pause: () => void paused.add(n), resume: () => void paused.delete(n) })
  const floods = Array.from({ length: 10 }, (_, n) => open(n))
  for (const flood of floods) flood.grow(150 * KB)
  expect([...paused]).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
  const usual = open(10)
  usual.grow(100 * KB)
  const knownToBeLarge = open(11, 5_000 * KB)
  knownToBeLarge.grow(4_000 * KB)
  expect(paused.has(10) || paused.has(11)).toBe(false)

  floods[0]!.release()
  expect(paused.has(2)).toBe(false)
  floods[3]!.release() // cancelled while it waited
  floods[1]!.release()
  expect([...paused]).toEqual([3, 5, 6, 7, 8, 9])
})

test('[R19] whatever comes in which order: nothing is held in the end, and no call waits while there is room', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ who: fc.nat(7), bytes: fc.nat(300) }), { maxLength: 200 }),
      fc.integer({ min: 1, max: 3 }),
      (events, mostLarge) => {
        const responseSizeLimiter = createResponseSizeLimiter(mostLarge)
        const paused = new Set<number>()
        const sizes = Array.from({ length: 8 }, () => 0)
        const holdings = sizes.map((_, n) =>
          responseSizeLimiter.open(100, {
            pause: () => void paused.add(n),
            resume: () => void paused.delete(n),
          }),
        )
        for (const { who, bytes } of events) {
          if (bytes % 5 === 0) {
            holdings[who]!.release()
            paused.delete(who)
            sizes[who] = 0
          } else if (!paused.has(who)) {
            holdings[who]!.grow(bytes)
            sizes[who]! += bytes
          }
          const large = sizes.filter((size, n) => size > 100 && !paused.has(n)).length
          expect(large).toBeLessThanOrEqual(mostLarge)
          if (paused.size > 0) expect(large).toBe(mostLarge)
          expect(responseSizeLimiter.heldBytes).toBe(sizes.reduce((sum, size) => sum + size, 0))
        }
        for (const holding of holdings) holding.release()
        expect(responseSizeLimiter.heldBytes).toBe(0)
      },
    ),
  )
})
