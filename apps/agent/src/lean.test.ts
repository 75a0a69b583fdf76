import { expect, test } from 'vitest'
import { aLog } from './given.ts'
import { createGiveBack, unchangedMappings } from './lean.ts'

const mapping = (range: string, rights: string, offset: string, file: string, anonymousKb = 0) =>
  `${range} ${rights} ${offset} 08:01 77 ${file}\nAnonymous:       ${String(anonymousKb)} kB\nSwap:            0 kB\n`

const image = mapping('400000-500000', 'r--p', '00000000', '/bin/agent')
const code = mapping('500000-900000', 'r-xp', '00100000', '/bin/agent')

test('only what lies in memory as it is on disk is given back', () => {
  const smaps = [
    image,
    code,
    mapping('900000-a00000', 'r--p', '00500000', '/bin/agent', 4),
    mapping('a00000-b00000', 'rw-p', '00600000', '/bin/agent'),
    mapping('7f0000000000-7f0000100000', 'r-xp', '00100000', '/bin/agent'),
    mapping('7f1000000000-7f1000100000', 'r-xp', '00000000', '/lib/libc.so'),
    mapping('7f2000000000-7f2000100000', 'rw-p', '00000000', ''),
  ].join('')
  expect(unchangedMappings(smaps, '/bin/agent')).toEqual([
    { start: 0x400000n, bytes: 0x100000n },
    { start: 0x500000n, bytes: 0x400000n },
  ])
})

test.each([
  ['the file is shown twice', image + mapping('7f0000000000-7f0000100000', 'r--p', '00000000', '/bin/agent')],
  ['it is not found', image.replace('/bin/agent', '/bin/agent (deleted)')],
  ['there is nothing to read', ''],
])('nothing is given back when %s', (_when, smaps) => {
  expect(unchangedMappings(smaps, '/bin/agent')).toEqual([])
})

test('what gives memory back can be asked to again and again, and says nothing of it to anybody', () => {
  const { log, lines } = aLog()
  const giveBack = createGiveBack(log)
  giveBack()
  giveBack()
  expect(lines.filter((line) => !line.includes('DEBUG'))).toEqual([])
})
