import { fakeClock } from '@pulse/testkit'
import fs from 'node:fs'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { keepLean, openGiveBack, unchangedMappings } from './give-back.ts'

const program = '/opt/node/bin/node'
const mapping = (rights: string, file: string, anonymousKB = 0) =>
  `00400000-00500000 ${rights} 00000000 fe:00 5317473                            ${file}
Rss:                 900 kB
Anonymous:           ${anonymousKB} kB
VmFlags: rd ex mr mw me sd
`

describe('what may be given back of the program', () => {
  test('is its code and what it only reads', () => {
    const smaps = mapping('r-xp', program) + mapping('r--p', program)
    expect(unchangedMappings(smaps, program)).toEqual([
      { start: 0x400000n, bytes: 0x100000n },
      { start: 0x400000n, bytes: 0x100000n },
    ])
  })

  test.each([
    ['what can be written', mapping('rw-p', program)],
    ['what was changed when it was loaded', mapping('r--p', program, 8)],
    ['what others see too', mapping('r--s', program)],
    ['another file, which may make room for something else', mapping('r-xp', '/lib/libc.so.6')],
    ['memory without a file', mapping('r-xp', '')],
  ])('is not %s', (_what, smaps) => {
    expect(unchangedMappings(smaps, program)).toEqual([])
  })
})

/** Kilobytes of files that count as this process's memory. */
const ofFiles = () => Number(/RssFile:\s+(\d+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))![1])

test.runIf(process.platform === 'linux')(
  'what the start needed no longer counts, and everything goes on',
  async () => {
    const giveBack = await openGiveBack()
    const before = ofFiles()
    giveBack()
    expect(ofFiles()).toBeLessThan(before)
    expect(new Intl.NumberFormat('en').format(1234.5)).toBe('1,234.5')
  },
)

test.runIf(process.platform === 'linux')(
  'it is done when the start is over, and every half minute',
  async () => {
    const clock = fakeClock()
    keepLean(clock, pino({ level: 'silent' }))
    for (const afterMs of [20_000, 30_000]) {
      await clock.advance(afterMs - 1)
      expect(clock.pending()).toBe(1)
      await clock.advance(1)
      await expect.poll(() => clock.pending()).toBe(1)
    }
  },
)
