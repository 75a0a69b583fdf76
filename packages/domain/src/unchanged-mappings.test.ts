import { describe, expect, test } from 'vitest'
import { unchangedMappings } from './unchanged-mappings.ts'

const program = '/opt/node/bin/node'
/** A line of the kernel's list, with what matters of those below it. */
const mapping = (at: string, rights: string, offset: string, file: string, changedKB = 0, swapKB = 0) =>
  `${at} ${rights} ${offset} fe:00 5317473                            ${file}
Rss:                 900 kB
Anonymous:           ${changedKB} kB
Swap:                ${swapKB} kB
VmFlags: rd ex mr mw me sd
`
const head = mapping('00400000-00500000', 'r--p', '00000000', program)
const code = mapping('00500000-00700000', 'r-xp', '00100000', program)

describe('what may be given back of the program', () => {
  test('is its code and what it only reads', () => {
    expect(unchangedMappings(head + code, program)).toEqual([
      { start: 0x400000n, bytes: 0x100000n },
      { start: 0x500000n, bytes: 0x200000n },
    ])
  })

  test.each([
    ['what can be written', mapping('00700000-00800000', 'rw-p', '00300000', program)],
    ['what was changed when it was loaded', mapping('00700000-00800000', 'r--p', '00300000', program, 8)],
    ['what was changed and put aside since', mapping('00700000-00800000', 'r--p', '00300000', program, 0, 8)],
    ['what others see too', mapping('00700000-00800000', 'r--s', '00300000', program)],
    [
      'a part of it that V8 shows once more, and that ends with its thread',
      mapping('7f0000000000-7f0000200000', 'r-xp', '00100000', program),
    ],
    [
      'another file, which may make room for something else',
      mapping('7f0000000000-7f0000200000', 'r-xp', '00000000', '/lib/libc.so.6'),
    ],
    ['memory without a file', mapping('7f0000000000-7f0000200000', 'r-xp', '00000000', '')],
  ])('is not %s', (_what, smaps) => {
    expect(unchangedMappings(head + smaps, program)).toEqual([{ start: 0x400000n, bytes: 0x100000n }])
  })

  test.each([
    ['it is not found', head.replace(program, `${program} (deleted)`)],
    ['there is nothing to read', ''],
  ])('is nothing when %s', (_when, smaps) => {
    expect(unchangedMappings(smaps, program)).toEqual([])
  })

  test('is nothing where it is not clear which of two is the program', () => {
    const again = mapping('7f0000000000-7f0000100000', 'r--p', '00000000', program)
    expect(unchangedMappings(head + again, program)).toEqual([])
  })
})
