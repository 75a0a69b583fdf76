import type { AnyRecord, Guest } from '@pulse/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { atOnce, STEP } from './in-steps.ts'
import { createFrameParser } from './chunks.ts'
import { createWireWriter } from './write.ts'

const named = (prefix: string, count: number, text: string) =>
  new Map(
    Array.from({ length: count }, (_, at): [string, AnyRecord] => [
      `${prefix}${at}`,
      { id: `${prefix}${at}`, name: `${text}${at}`, tags: ['[', ']'], disks: [{}, {}] } as unknown as Guest,
    ]),
  )

function parsed(text: string, cuts: readonly number[]) {
  const parser = createFrameParser()
  let from = 0
  for (const cut of [...cuts, text.length].map((one) => Math.min(one, text.length)).sort((a, b) => a - b)) {
    parser.push(text.slice(from, cut))
    from = cut
  }
  return parser.end()
}

const aSnapshot = (nodes: number, guests: number, text: string, gone: number) => {
  const writer = createWireWriter('live', 'e', {
    nodes: named('n', nodes, text),
    guests: named('g', guests, text),
  })
  const remove = new Set(Array.from({ length: gone }, (_, at) => `g${at}`))
  atOnce(writer.advance({ guests: { put: new Map(), remove } }))
  return atOnce(writer.snapshot()).join('')
}

test('a frame is parsed the same however it is split: short and long lists, gaps and hostile texts', () => {
  const lengths = fc.constantFrom(0, 1, STEP, STEP + 1, 3 * STEP)
  fc.assert(
    fc.property(
      lengths,
      lengths,
      fc.string(),
      fc.nat(400),
      fc.array(fc.nat(100_000)),
      (nodes, guests, text, gone, cuts) => {
        const json = aSnapshot(nodes, guests, `${text}\n],[`, gone)
        expect(parsed(json, cuts)).toEqual(JSON.parse(json))
      },
    ),
    { numRuns: 50 },
  )
})

test('[design 9] no line of a long frame is longer than a chunk', () => {
  const lines = aSnapshot(1, 5_000, 'web', 0).split('\n')
  const records = lines.slice(1, -1).map((line) => line.match(/"name":/g)!.length)
  expect(records).toHaveLength(25)
  expect(Math.max(...records)).toBe(STEP)
})

test('truncated frames and invalid JSON fail', () => {
  const json = aSnapshot(1, 500, 'web', 0)
  expect(() => parsed(json.slice(0, -2), [])).toThrow()
  expect(() => parsed(json.replace('\n', '\nnonsense'), [])).toThrow()
  expect(() => createFrameParser().end()).toThrow()
})
