import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach } from 'vitest'

/** A new folder for each test of a file, where a program named apprise runs a script of the test. */
export function aProgramFolder() {
  const now = {} as { folder: string }
  beforeEach(() => {
    now.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-apprise-'))
  })
  afterEach(() => fs.rmSync(now.folder, { recursive: true }))

  const at = (name: string) => path.join(now.folder, name)
  /** Creates a program named apprise that runs the script. */
  function aProgram(script: string): string {
    const file = at('apprise')
    fs.writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    return file
  }
  /** A program that stores its arguments, each ended by a zero byte. */
  const keepsArguments = () => aProgram(`printf '%s\\0' "$@" >'${at('args')}'\nenv >'${at('env')}'`)
  return { now, at, aProgram, keepsArguments }
}
