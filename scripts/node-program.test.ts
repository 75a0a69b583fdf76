import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { withoutSymbols } from './node-program.mjs'

const cat = fs.readFileSync('/bin/cat')

test('a program runs without its symbols and any data after the last segment', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-elf-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true }))
  const bare = withoutSymbols(Buffer.concat([cat, Buffer.alloc(1_000_000, 'symbols')]))
  expect(bare.length).toBeLessThan(cat.length)
  const file = path.join(folder, 'cat')
  fs.writeFileSync(file, bare, { mode: 0o755 })
  expect(String(execFileSync(file, [], { input: 'still here' }))).toBe('still here')
})

test.each([
  ['text', Buffer.from('#!/bin/sh\n'.repeat(20))],
  ['a program for 32 bits', cat.with(4, 1)],
])('%s is refused', (_what, bytes) => {
  expect(() => withoutSymbols(Buffer.from(bytes))).toThrow(/not an ELF program/)
})
