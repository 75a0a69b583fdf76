import { commandLine, quote } from '@pulse/domain'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { hostileTexts } from './fixtures.ts'
import { constants } from './script.ts'

/** Runs the script in bash in an empty folder; returns the output and the created files. */
function bash(script: string) {
  const cwd = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-shell-'))
  try {
    const { stdout, stderr } = spawnSync('/bin/bash', ['-s'], { cwd, input: script, encoding: 'utf8' })
    return { stdout, stderr, files: fs.readdirSync(cwd) }
  } finally {
    fs.rmSync(cwd, { recursive: true })
  }
}

describe('[S12] values in a shell', () => {
  const texts = hostileTexts(1_000)

  test('1,000 hostile texts arrive as words, sign by sign; nothing is executed, no file is made', () => {
    const script = texts.map((text) => `printf '%s\\0' ${quote(text)}`).join('\n')
    expect(bash(script)).toEqual({ stdout: texts.map((text) => `${text}\0`).join(''), stderr: '', files: [] })
  })

  test('as words of a command line too', () => {
    const script = texts.map((text) => commandLine(['printf', '%s\\0', text])).join('\n')
    expect(bash(script)).toEqual({ stdout: texts.map((text) => `${text}\0`).join(''), stderr: '', files: [] })
  })

  test('and as constants of a script', () => {
    const script = `${constants({ A: texts[0]!, B: 7, C: true })}\nprintf '%s\\0' "$A" "$B" "$C"`
    expect(bash(script).stdout).toBe(`${texts[0]}\0${7}\0true\0`)
  })

  test('a NUL, which no word can hold, is refused', () => {
    expect(() => quote('a\0b')).toThrow('NUL')
  })
})
