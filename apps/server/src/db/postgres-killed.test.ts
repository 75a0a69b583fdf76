import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scale } from '../auth/fixtures.ts'
import { randomFrom } from '../testing/data-folder.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../testing/postgres-server.ts'
import type { PostgresSettings } from './postgres-settings.ts'

const found = hasPostgres()
if (!found) console.log('skipped: no PostgreSQL')

let server: PostgresServer
let settings: PostgresSettings
let dir: string
beforeAll(async () => {
  if (!found) return
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-killed-'))
  server = await startPostgres()
  settings = await server.database()
})
afterAll(async () => {
  await server?.remove()
  if (found) fs.rmSync(dir, { recursive: true })
})

/** Writes numbers, every third as a transaction of two rows, and prints each number once it is stored. */
const writer = `(async () => {
  const { openDataOf } = await import(${JSON.stringify(new URL('../auth/fixtures.ts', import.meta.url).href)})
  const [dir, settings, from] = process.argv.slice(1)
  const { db } = await openDataOf(dir, JSON.parse(settings))
  const put = (key) => db.query.insertInto('guest_metadata').values({ guest_key: key, wire_id: 'w', custom_url: 'u', updated_at: 1 })
  for (let n = Number(from); ; n++) {
    if (n % 3 === 0) await db.transaction([put('id:' + n).compile(), put('pair:' + n).compile()])
    else await put('id:' + n).execute()
    console.log(n)
  }
})()`

type Victim = 'the process' | 'the server'

/** Kills one of the two after the process has printed `count` numbers; resolves to the last one. */
async function writeUntilKilled(from: number, count: number, victim: Victim): Promise<number> {
  const child = spawn(process.execPath, ['-e', writer, dir, JSON.stringify(settings), String(from)], {
    // the process says how its server has gone
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let last = from - 1
  let crashing: Promise<void> | undefined
  createInterface(child.stdout).on('line', (line) => {
    last = Number(line)
    if (last < from + count) return
    if (victim === 'the process') child.kill('SIGKILL')
    else crashing ??= server.halt('crash')
  })
  await new Promise((resolve) => child.on('close', resolve))
  await crashing
  if (crashing) await server.rise()
  return last
}

const numbersIn = async (start: string) =>
  (
    await server.admin(
      `SELECT substr(guest_key, ${start.length + 1})::int AS n FROM guest_metadata WHERE guest_key LIKE '${start}%' ORDER BY n`,
      settings.database,
    )
  ).map(({ n }) => Number(n))

const kills = scale > 1 ? 100 : 4

test.skipIf(!found)(
  `[R8, N 1] ${kills} kills of the process or the PostgreSQL server while writing: nothing that was acknowledged is lost, and no half of a transaction is there`,
  async () => {
    const random = randomFrom(8)
    let next = 0
    for (let kill = 1; kill <= kills; kill++) {
      const victim = kill % 2 ? 'the process' : 'the server'
      const last = await writeUntilKilled(next, Math.floor(random() * 30), victim)
      expect(last, `kill ${kill}`).toBeGreaterThanOrEqual(next)
      const stored = await numbersIn('id:')
      expect(stored, `kill ${kill}`).toEqual(stored.map((_, n) => n))
      expect(stored.length, `kill ${kill}`).toBeGreaterThan(last)
      expect(await numbersIn('pair:'), `kill ${kill}`).toEqual(stored.filter((n) => n % 3 === 0))
      next = stored.length
    }
  },
)
