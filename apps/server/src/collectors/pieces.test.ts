import { expect, test } from 'vitest'
import { createPieces } from './pieces.ts'

test('a body that comes byte by byte is held in few pieces', () => {
  const pieces = createPieces()
  for (let n = 0; n < 100_000; n++) pieces.add(Buffer.from([n % 251]))
  expect(pieces.count).toBeLessThan(1_000)
  const body = pieces.join()
  expect(body).toHaveLength(100_000)
  expect(body.every((byte, n) => byte === n % 251)).toBe(true)
})
