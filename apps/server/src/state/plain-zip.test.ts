import type { PlainPart } from '@pulse/domain'
import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createPlainZip } from './plain-zip.ts'

/** A part that counts how many of its bytes are read for compression. */
function aPart(isKept: boolean, ...texts: string[]): PlainPart<Buffer> & { taken: () => number } {
  let taken = 0
  const pieces = texts.map((text) => {
    const piece = Buffer.from(text)
    const subarray = piece.subarray.bind(piece)
    return Object.assign(piece, {
      subarray(from?: number, to?: number) {
        const some = subarray(from, to)
        taken += some.length
        return some
      },
    })
  })
  return { pieces, isKept, taken: () => taken }
}

const long = () => randomBytes(700_000).toString('base64')
const wholeOf = (parts: readonly PlainPart<Buffer>[]) =>
  Buffer.concat(parts.flatMap(({ pieces }) => pieces)).toString()

test('any unpacker finds the whole of it, long stretches, empty ones and one that is in it twice', async () => {
  const twice = aPart(true, long(), 'middle', long())
  const parts = [
    aPart(false, '{"a":'),
    twice,
    aPart(false),
    aPart(false, '', 'umlaut \u00fc'),
    twice,
    aPart(false, '}'),
  ]
  expect(gunzipSync(await createPlainZip().gzip(parts)).toString()).toBe(wholeOf(parts))
  expect(gunzipSync(await createPlainZip().gzip([])).toString()).toBe('')
})

test('what is kept is compressed once, however often it is in it and however often it is asked for', async () => {
  const zip = createPlainZip()
  const backups = aPart(true, long())
  const size = backups.pieces[0]!.length
  for (let round = 0; round < 3; round++) {
    const parts = [aPart(false, `{"round":${round},"a":`), backups, aPart(false, ',"b":'), backups]
    expect(gunzipSync(await zip.gzip(parts)).toString()).toBe(wholeOf(parts))
    expect(parts[0]!.pieces[0]!.length).toBe(parts.flatMap((part) => ('taken' in part ? part.taken() : 0))[0])
  }
  expect(backups.taken()).toBe(size)
})

test('what was not in it the last time, or is forgotten, is compressed again', async () => {
  const zip = createPlainZip()
  const backups = aPart(true, 'backups')
  await zip.gzip([backups])
  await zip.gzip([aPart(false, 'nothing')])
  await zip.gzip([backups])
  expect(backups.taken()).toBe(2 * 'backups'.length)
  zip.forget()
  await zip.gzip([backups])
  expect(backups.taken()).toBe(3 * 'backups'.length)
})
