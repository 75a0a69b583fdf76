import { expect, test } from 'vitest'
import { neighbours } from './painter.ts'

const row = (index: number, top = index * 32) => ({ key: `guest:${index}`, index, top, height: 32 })
const keys = (rows: ReturnType<typeof neighbours>) => rows.map(({ index }) => index)

test('the row with the keyboard focus, far from the window, does not make the canvas larger', () => {
  expect(keys(neighbours([row(2), ...[500, 501, 502].map((at) => row(at))]))).toEqual([500, 501, 502])
  expect(keys(neighbours([...[500, 501].map((at) => row(at)), row(900)]))).toEqual([500, 501])
})

test('the canvas is bounded, however tall the details between the rows are', () => {
  const details = { ...row(1), height: undefined }
  const tall = [row(0), details, row(2, 4_000), row(3, 9_000)]
  expect(keys(neighbours(tall))).toEqual([0, 2])
})
