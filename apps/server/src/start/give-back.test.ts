import { fakeClock } from '@pulse/testkit'
import { once } from 'node:events'
import fs from 'node:fs'
import { Worker } from 'node:worker_threads'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { keepLean, openGiveBack, unchangedMappings } from './give-back.ts'

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

  test('is nothing where it is not clear which of two is the program', () => {
    const again = mapping('7f0000000000-7f0000100000', 'r--p', '00000000', program)
    expect(unchangedMappings(head + again, program)).toEqual([])
  })
})

test.runIf(process.platform === 'linux')('a thread of a large heap leaves nothing in the list', async () => {
  const list = () => unchangedMappings(fs.readFileSync('/proc/self/smaps', 'latin1'), process.execPath)
  const before = list()
  const worker = new Worker('setInterval(() => {}, 1000)', {
    eval: true,
    resourceLimits: { maxOldGenerationSizeMb: 4_096 },
  })
  await once(worker, 'online')
  expect(list()).toEqual(before)
  await worker.terminate()
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
