import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scale } from '../auth/fixtures.ts'
import { openData } from '../start/open-data.ts'
import { randomFrom } from '../testing/data-folder.ts'

let dir: string
beforeAll(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-killed-'))
})
afterAll(() => fs.rmSync(dir, { recursive: true, force: true }))

/** Writes numbers, makes copies, and prints each number once it is stored. */
const writer = `(async () => {
  const { openData, copyPath } = await import(${JSON.stringify(new URL('../start/open-data.ts', import.meta.url).href)})
  const [dir, from] = process.argv.slice(1)
  const { db, maintenance } = await openData(dir, undefined, Date.now())
  for (let n = Number(from); ; n++) {
    await maintenance.run([{ sql: 'INSERT INTO guest_metadata VALUES (?, ?, ?, 1)', parameters: ['id:' + n, 'w', 'u'] }])
    console.log(n)
    if (n % 5 === 0) void maintenance.renewCopy(copyPath(dir), Date.now())
  }
})()`

/** Kills the process after it has printed `count` numbers; resolves to the last one. */
function writeUntilKilled(from: number, count: number): Promise<number> {
  const child = spawn(process.execPath, ['-e', writer, dir, String(from)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let last = from - 1
  createInterface(child.stdout).on('line', (line) => {
    last = Number(line)
    if (last >= from + count) child.kill('SIGKILL')
  })
  return new Promise((resolve) => child.on('close', () => resolve(last)))
}

const kills = scale > 1 ? 200 : 3

test(`[R8] ${kills} kills while writing: nothing that was acknowledged is lost, and the file and its copy stay whole`, async () => {
  const random = randomFrom(8)
  let next = 0
  for (let kill = 1; kill <= kills; kill++) {
    const last = await writeUntilKilled(next, Math.floor(random() * 30))
    expect(last, `kill ${kill}`).toBeGreaterThanOrEqual(next)
    const { maintenance, notices } = await openData(dir, undefined, Date.now())
    await maintenance.close()
    expect(notices, `kill ${kill}`).toEqual([])
    for (const name of ['pulse.db', 'pulse.db.copy']) {
      const file = new DatabaseSync(path.join(dir, name))
      expect(file.prepare('PRAGMA integrity_check').get(), name).toEqual({ integrity_check: 'ok' })
      const { n } = file.prepare('SELECT count(*) AS n FROM guest_metadata').get() as { n: number }
      file.close()
      if (name === 'pulse.db') expect(n, `kill ${kill}`).toBeGreaterThan(last)
      next = Math.max(next, n)
    }
  }
})
