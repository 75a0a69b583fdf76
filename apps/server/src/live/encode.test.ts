import { atOnce, type InSteps, jsonInSteps } from '@pulse/domain'
import { expect, test } from 'vitest'
import { inflateRawSync } from 'node:zlib'
import { bytesInSteps, encode, ENCODED_CHARS } from './encode.ts'

function* piecesOf(pieces: string[]): InSteps<string[]> {
  yield
  return pieces
}

test('a long frame becomes bytes a stretch at a time, and is the same', async () => {
  const pieces = Array.from({ length: 900 }, (_, n) => `${n}:\u00fc`.padEnd(n * 5, 'x'))
  const work = bytesInSteps(pieces)
  let steps = 1
  for (let step = work.next(); !step.done; step = work.next()) steps++
  expect(steps).toBeGreaterThanOrEqual(pieces.join('').length / ENCODED_CHARS)
  const parts = atOnce(bytesInSteps(pieces))
  expect(Math.max(...parts.map((part) => part.toString().length))).toBeLessThanOrEqual(ENCODED_CHARS)
  expect(inflateRawSync(await encode(piecesOf(pieces))).toString()).toBe(pieces.join(''))
})

test('a short one is one part, an empty one none of text', async () => {
  expect(atOnce(bytesInSteps(['{"a":', '1}'])).map(String)).toEqual(['{"a":1}'])
  expect(inflateRawSync(await encode(jsonInSteps({ a: [1, 2] }))).toString()).toBe('{"a":[1,2]}')
  expect(inflateRawSync(await encode(piecesOf([])))).toHaveLength(0)
})
