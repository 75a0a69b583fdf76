import { expect, test } from 'vitest'
import { createResponseBody } from './response-body.ts'

test('a body that comes byte by byte is held in few chunks', () => {
  const body = createResponseBody()
  for (let n = 0; n < 100_000; n++) body.add(Buffer.from([n % 251]))
  expect(body.count).toBeLessThan(1_000)
  const joined = body.join()
  expect(joined).toHaveLength(100_000)
  expect(joined.every((byte, n) => byte === n % 251)).toBe(true)
})
