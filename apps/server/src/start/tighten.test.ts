import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runMain } from '../testing/run-main.ts'
import { isOnPostgres } from '../testing/database-of-tests.ts'
import { claimDataDir } from './data-dir.ts'

let dir: string
beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-open-'))
})
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }))

const everything = (folder: string) => [
  folder,
  ...fs.readdirSync(folder, { recursive: true }).map((name) => path.join(folder, String(name))),
]
const openToOthers = (folder: string) =>
  everything(folder).filter((filePath) => fs.lstatSync(filePath).mode & 0o077)

test.skipIf(isOnPostgres)('[S21] a start under umask 000 leaves nothing that others may read', async () => {
  const data = path.join(dir, 'data')
  let running: string[] = []
  const { code } = await runMain(data, {
    umask: 0,
    onReady: () => {
      running = openToOthers(data)
    },
  })
  expect(code).toBe(0)
  expect(running).toEqual([])
  expect(openToOthers(data)).toEqual([])
  expect(fs.readdirSync(data)).toEqual(expect.arrayContaining(['pulse.db', 'pulse.lock', 'pulse.db.copy']))
})

test('[S21] an existing folder that is open is closed, all that lies in it too', async () => {
  await runMain(dir)
  fs.mkdirSync(path.join(dir, 'temperature'), { recursive: true })
  for (const name of [
    '.env',
    'pulse.db-wal',
    'pulse.db.before-0002',
    'temperature/id_ed25519',
    'pulse.log.1',
  ])
    fs.writeFileSync(path.join(dir, name), '')
  for (const filePath of everything(dir)) {
    if (!filePath.endsWith('.encryption.key'))
      fs.chmodSync(filePath, fs.statSync(filePath).isDirectory() ? 0o755 : 0o644)
  }
  expect((await runMain(dir, { umask: 0 })).code).toBe(0)
  expect(openToOthers(dir)).toEqual([])
})

test('[S21] a link is not followed out of the folder', () => {
  const outside = path.join(dir, 'outside')
  fs.writeFileSync(outside, '', { mode: 0o644 })
  fs.chmodSync(outside, 0o644)
  const data = path.join(dir, 'data')
  fs.mkdirSync(data)
  fs.symlinkSync(outside, path.join(data, '.env'))
  claimDataDir(data).release()
  expect(fs.statSync(outside).mode & 0o777).toBe(0o644)
})

const isRoot = process.getuid?.() === 0
test.skipIf(!isRoot)('[S21] a file of another user is refused, with the command that fixes it', () => {
  const data = path.join(dir, 'data')
  fs.chmodSync(dir, 0o755)
  fs.mkdirSync(data)
  fs.chmodSync(data, 0o777)
  const asOtherUser = (script: string) =>
    spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      uid: 65_534,
      gid: 65_534,
      encoding: 'utf8',
    })
  const claim = `import { claimDataDir } from ${JSON.stringify(new URL('./data-dir.ts', import.meta.url).href)}
    try { claimDataDir(${JSON.stringify(data)}) } catch (error) { console.log(error.message) }`
  expect(asOtherUser(claim).stdout).toContain(
    `The folder ${data} is open to other users (mode 777) and Pulse cannot close it: it belongs to user 0, and Pulse ` +
      `runs as user 65534.\nRun: sudo sh -c "chown 65534:65534 '${data}' && chmod 700 '${data}'"`,
  )
  fs.chownSync(data, 65_534, 65_534)
  fs.chmodSync(data, 0o700)
  fs.writeFileSync(path.join(data, 'pulse.db'), '')
  fs.chmodSync(path.join(data, 'pulse.db'), 0o666)
  fs.writeFileSync(path.join(data, 'pulse.yaml'), '', { mode: 0o644 })
  expect(asOtherUser(claim).stdout).toContain(`chmod 600 '${data}/pulse.db'"`)
  fs.rmSync(path.join(data, 'pulse.db'))
  expect(asOtherUser(claim).stdout).toBe('')
})
