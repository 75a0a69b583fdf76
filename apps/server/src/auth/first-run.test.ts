import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { closeFirstRun, isSetupToken, openFirstRun } from './first-run.ts'

let dir: string
let file: string

beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-first-'))
  file = path.join(dir, '.bootstrap_token')
})
afterEach(() => fs.rmSync(dir, { recursive: true }))

const modeOf = (file: string) => fs.statSync(file).mode & 0o777

describe('[S8] the one-time setup token', () => {
  test('is 128 random bits in a file of the data folder', () => {
    const first = openFirstRun(dir)
    expect(first).toEqual({ file, token: expect.stringMatching(/^[0-9a-f]{32}$/) })
    expect(fs.readFileSync(file, 'utf8')).toBe(`${first.token}\n`)
    closeFirstRun(dir)
    expect(openFirstRun(dir).token).not.toBe(first.token)
  })

  test('[S21] is for its owner alone, whatever the umask', () => {
    const script = `process.umask(0)
      import('${new URL('./first-run.ts', import.meta.url).href}').then((m) => m.openFirstRun(process.argv[1]))`
    execFileSync(process.execPath, ['-e', script, dir])
    expect(modeOf(file)).toBe(0o600)
  })

  test('is closed to others after one client opened it', () => {
    openFirstRun(dir)
    fs.chmodSync(file, 0o644)
    openFirstRun(dir)
    expect(modeOf(file)).toBe(0o600)
  })

  test('stays the same after a restart', () => {
    expect(openFirstRun(dir).token).toBe(openFirstRun(dir).token)
  })

  test.each(['', 'short\n', 'g'.repeat(32), '0'.repeat(31), '0'.repeat(33), `${'0'.repeat(32)}\nmore`])(
    'is created again when the file holds "%s"',
    (text) => {
      fs.writeFileSync(file, text, { mode: 0o644 })
      const { token } = openFirstRun(dir)
      expect(token).toMatch(/^[0-9a-f]{32}$/)
      expect(text).not.toContain(token)
      expect([fs.readFileSync(file, 'utf8'), modeOf(file)]).toEqual([`${token}\n`, 0o600])
    },
  )

  test('never goes where a planted link points', () => {
    const elsewhere = path.join(dir, 'elsewhere')
    fs.writeFileSync(elsewhere, 'not a token')
    fs.symlinkSync(elsewhere, file)
    openFirstRun(dir)
    expect(fs.readFileSync(elsewhere, 'utf8')).toBe('not a token')
    expect(fs.lstatSync(file).isSymbolicLink()).toBe(false)
  })

  test('is gone afterwards, also when it was gone before', () => {
    openFirstRun(dir)
    closeFirstRun(dir)
    closeFirstRun(dir)
    expect(fs.existsSync(file)).toBe(false)
  })

  test('is known by its letters alone', () => {
    const first = openFirstRun(dir)
    const { token } = first
    for (const shown of [token, ` ${token}\n`, token.toUpperCase()]) {
      expect(isSetupToken(first, shown)).toBe(true)
    }
    for (const shown of ['', token.slice(1), `${token}0`, token.replace(/./, 'x'), 'undefined', file]) {
      expect(isSetupToken(first, shown)).toBe(false)
    }
  })
})
