import { fakeClock } from '@pulse/testkit'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openLogFile, type LogFile } from './log-file.ts'
import { createLog } from './log.ts'
import { within } from '../../../scripts/test-limits.ts'

let folder: string
let problems: string[]
let open: LogFile[]

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-log-'))
  problems = []
  open = []
})
afterEach(async () => {
  await Promise.all(open.map((file) => file.close()))
  fs.rmSync(folder, { recursive: true })
})

function given(file = path.join(folder, 'pulse.log'), compress = true) {
  const clock = fakeClock(Date.now())
  const log = openLogFile({ file, maxSizeMB: 1, maxAgeDays: 30, compress }, clock, (problem) =>
    problems.push(problem),
  )
  open.push(log)
  return { clock, log, file }
}

const putAside = () => fs.readdirSync(folder).filter((name) => name !== 'pulse.log')

describe('[facts/platform 15] LOG_FILE', () => {
  test('has every line, as JSON with its time, readable by its owner alone', async () => {
    const { log, file } = given()
    const shown: string[] = []
    createLog('info', true, (text) => void shown.push(text), log.write).log.info({ n: 1 }, 'hello')
    await log.close()
    expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toMatchObject({
      level: 30,
      n: 1,
      msg: 'hello',
      time: expect.stringMatching(/^20\d\d-/),
    })
    expect(shown.join()).toMatch(/^\d\d:\d\d:\d\d info {2}hello n=1\n$/)
    expect(fs.statSync(file).mode & 0o777).toBe(0o600)
  })

  test.each([true, false])(
    'is put aside at its size, compressed (%s) and without losing a line',
    async (compress) => {
      const { log, file } = given(undefined, compress)
      const line = (n: number) => `${JSON.stringify({ n, text: 'x'.repeat(1_000) })}\n`
      for (let n = 0; n < 2_500; n++) log.write(line(n))
      await log.close()
      const names = putAside().sort()
      expect(names).toHaveLength(2)
      const texts = names.map((name) => {
        const bytes = fs.readFileSync(path.join(folder, name))
        expect(name.endsWith('.gz')).toBe(compress)
        return String(compress ? gunzipSync(bytes) : bytes)
      })
      const all = [...texts, fs.readFileSync(file, 'utf8')].join('').trimEnd().split('\n')
      expect(all.map((text) => (JSON.parse(text) as { n: number }).n)).toEqual(
        Array.from({ length: 2_500 }, (_, n) => n),
      )
      for (const name of names) expect(fs.statSync(path.join(folder, name)).mode & 0o077).toBe(0)
    },
  )

  test('files put aside are removed when they are too old, and nothing else is', async () => {
    const old = new Date(Date.now() - 31 * 86_400_000)
    const names = [
      '20250101-0000-01-pulse.log',
      '20250101-0000-02-pulse.log.gz',
      '20250101-0000-01-other.log',
      'pulse.log.1',
    ]
    for (const name of [...names, '20250102-0000-01-pulse.log'])
      fs.writeFileSync(path.join(folder, name), 'x')
    for (const name of names) fs.utimesSync(path.join(folder, name), old, old)
    const { clock } = given()
    await vi.waitFor(() => expect(putAside()).toHaveLength(3), within(30_000))
    expect(putAside().sort()).toEqual([
      '20250101-0000-01-other.log',
      '20250102-0000-01-pulse.log',
      'pulse.log.1',
    ])
    await clock.advance(31 * 86_400_000)
    expect(putAside().sort()).toEqual(['20250101-0000-01-other.log', 'pulse.log.1'])
  })

  test('one that cannot be written is reported once and tried again; the missing lines are counted', async () => {
    const blocked = path.join(folder, 'logs')
    fs.writeFileSync(blocked, '')
    const { clock, log, file } = given(path.join(blocked, 'pulse.log'))
    await vi.waitFor(() => expect(problems).toHaveLength(1), within(30_000))
    expect(problems[0]).toContain(`The log file ${file} cannot be written`)
    log.write('one\n')
    log.write('two\n')
    fs.rmSync(blocked)
    await clock.advance(30_000)
    await vi.waitFor(
      () => expect(problems).toEqual([expect.any(String), `2 lines are missing in the log file ${file}.`]),
      within(30_000),
    )
    log.write('three\n')
    await log.close()
    expect(fs.readFileSync(file, 'utf8')).toBe('three\n')
  })
})
