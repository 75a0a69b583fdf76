import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aLog } from './fixtures.ts'
import { createHealthFile } from './health-file.ts'

test.each([
  [1_000, 130],
  [30_000, 220],
  [600_000, 700],
])(
  'with a report every %d ms it counts as healthy until second %d, as long as a server waits',
  (intervalMs, until) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-agent-'))
    onTestFinished(() => fs.rmSync(folder, { recursive: true }))
    const file = path.join(folder, 'health')
    createHealthFile({ file, intervalMs, log: aLog().log, uptime: () => 99.5 })()
    expect(fs.readFileSync(file, 'utf8')).toBe(`${until}\n`)
  },
)

test('a file that cannot be written is logged once, and the agent keeps running', () => {
  const { log, lines } = aLog()
  const healthy = createHealthFile({ file: '/proc/none/health', intervalMs: 30_000, log })
  healthy()
  healthy()
  expect(lines).toEqual([expect.stringMatching(/PULSE_HEALTH_FILE cannot be written: .*ENOENT/)])
})
