import { unchangedMappings } from '@pulse/domain'
import { fakeClock } from '@pulse/testkit'
import { once } from 'node:events'
import fs from 'node:fs'
import { Worker } from 'node:worker_threads'
import { pino } from 'pino'
import { describe, expect, test, vi } from 'vitest'
import { keepLean, NotHere, openGiveBack } from './give-back.ts'

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

describe('the turns', () => {
  const given = (open: () => Promise<() => void>) => {
    const clock = fakeClock()
    const said: string[] = []
    keepLean(clock, pino({ level: 'debug' }, { write: (line: string) => void said.push(line) }), open)
    return { clock, said }
  }

  test('one when the start is over, and one every half minute; what they need is read once', async () => {
    const turn = vi.fn()
    const open = vi.fn(async () => turn)
    const { clock } = given(open)
    await clock.advance(19_999)
    expect(open).not.toHaveBeenCalled()
    await clock.advance(1)
    expect(turn).toHaveBeenCalledTimes(1)
    await clock.advance(29_999)
    expect(turn).toHaveBeenCalledTimes(1)
    await clock.advance(30_001)
    expect([open.mock.calls.length, turn.mock.calls.length]).toEqual([1, 3])
  })

  test('one that fails is tried again half a minute later, whether it could not begin or not end', async () => {
    const tooMany = new Error('EMFILE: too many open files')
    const fail = () => {
      throw tooMany
    }
    const turn = vi.fn<() => void>().mockImplementationOnce(fail)
    const open = vi.fn(async () => turn).mockRejectedValueOnce(tooMany)
    const { clock, said } = given(open)
    await clock.advance(20_000)
    expect([open.mock.calls.length, turn.mock.calls.length]).toEqual([1, 0])
    await clock.advance(30_000)
    expect([open.mock.calls.length, turn.mock.calls.length]).toEqual([2, 1])
    await clock.advance(30_000)
    expect([open.mock.calls.length, turn.mock.calls.length]).toEqual([2, 2])
    expect(said.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(
      Array(2).fill('memory that is not used could not be given back; it is tried again'),
    )
  })

  test('none where it cannot be done at all', async () => {
    const open = vi.fn(() => Promise.reject(new NotHere('no foreign functions')))
    const { clock, said } = given(open)
    await clock.advance(3_600_000)
    expect([open.mock.calls.length, clock.pending(), said.length]).toEqual([1, 0, 1])
  })
})
