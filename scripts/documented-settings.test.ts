import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readSettings } from '../apps/agent/src/settings/settings.ts'
import { readConfig } from '../apps/server/src/start/config.ts'
import { readDeclared } from '../apps/server/src/start/declared/read.ts'
import { documents, fencedBlocks } from './documented.ts'

let dir: string
beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-documented-'))
})
afterEach(() => fs.rmSync(dir, { recursive: true }))

const blocks = (language: string) => {
  const found = documents()
    .flatMap(fencedBlocks)
    .filter((block) => block.language === language)
    .map((block) => ({ ...block, location: `${block.document}:${block.line}` }))
  expect(found.length).toBeGreaterThan(0)
  return found
}
/** Replaces the dots with a value. */
const own = (text: string) => text.replaceAll('…', 'x'.repeat(24))
const variablesOf = (text: string) =>
  Object.fromEntries(
    own(text)
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  )

describe('settings in the documents are accepted unchanged', () => {
  test.each(blocks('ini'))('variables of $location', ({ text }) => {
    const env = variablesOf(text) as Record<string, string>
    if ('PULSE_TOKEN' in env) readSettings([], env)
    else readConfig({ ...env, PULSE_DATA_DIR: dir }, { dataDir: dir, tty: false })
  })

  test.each(blocks('yaml'))('the file of $location', ({ text }) => {
    const declared = own(text)
      .replaceAll('AA:BB:' + 'x'.repeat(24), Array(32).fill('AB').join(':'))
      .replaceAll('$2b$12$' + 'x'.repeat(24), '$2b$12$' + 'x'.repeat(53))
    for (const [, name] of text.matchAll(/File: (\S+)/g)) {
      const file = path.isAbsolute(name!) ? path.join(dir, path.basename(name!)) : path.join(dir, name!)
      fs.writeFileSync(file, 'a-secret-of-some-length', { mode: 0o600 })
    }
    fs.writeFileSync(path.join(dir, 'pulse.yaml'), declared.replaceAll('/run/secrets/', `${dir}/`), {
      mode: 0o600,
    })
    expect(readDeclared({}, dir)).toBeDefined()
  })
})
