import { expect, test } from 'vitest'
import { aLog } from './given.ts'
import { createGiveBack } from './lean.ts'

test('what gives memory back can be asked to again and again, and says nothing of it to anybody', () => {
  const { log, lines } = aLog()
  const giveBack = createGiveBack(log)
  giveBack()
  giveBack()
  expect(lines.filter((line) => !line.includes('DEBUG'))).toEqual([])
})
