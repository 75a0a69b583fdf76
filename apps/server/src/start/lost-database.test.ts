import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aStoredConnection, fingerprintsOf } from '../testing/data-folder.ts'
import { login } from '../testing/people.ts'
import { aSmallDisk } from '../testing/small-disk.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { connectionStore } from '../db/connections.ts'
import { isOnPostgres } from '../testing/database-of-tests.ts'
import { copyPath, openData } from './open-data.ts'

let root: string
/** a folder with a node, its key and its copy, and that of another installation */
let ours: string
let others: string
let count = 0

beforeAll(async () => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-lost-'))
  ours = await aFolder('ours')
  others = await aFolder('others')
})
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

const inDir = (dir: string, name: string) => path.join(dir, name)
const nowMs = () => Date.UTC(2026, 5, 1) + count++ * 1000

async function aFolder(name: string): Promise<string> {
  const dir = path.join(root, name)
  fs.mkdirSync(dir)
  const data = await openData(dir, undefined, nowMs())
  await connectionStore(data.db, data.vault).insert(aStoredConnection(`node of ${name}`), nowMs())
  await data.maintenance.renewCopy(copyPath(dir), nowMs())
  await data.maintenance.close()
  return dir
}

function aCopyOf(dir: string): string {
  const copy = path.join(root, `case-${count++}`)
  fs.cpSync(dir, copy, { recursive: true })
  return copy
}

/** Starts on this folder and returns the outcome. */
async function start(dir: string, options?: { usedBefore: boolean }) {
  const { db, maintenance, vault, notices } = await openData(dir, undefined, nowMs(), options)
  try {
    return { names: (await connectionStore(db, vault).all()).map((c) => c.name), notices }
  } finally {
    await maintenance.close()
  }
}

describe.skipIf(isOnPostgres)('[R11] a database that is lost', () => {
  const losses: Record<string, (dir: string) => void> = {
    'was missing': (dir) => fs.rmSync(inDir(dir, 'pulse.db')),
    'was empty': (dir) => fs.truncateSync(inDir(dir, 'pulse.db')),
    'was damaged (it is not a file)': (dir) => {
      fs.rmSync(inDir(dir, 'pulse.db'))
      fs.mkdirSync(inDir(dir, 'pulse.db'))
    },
    'was that of another installation': (dir) =>
      fs.copyFileSync(inDir(others, 'pulse.db'), inDir(dir, 'pulse.db')),
  }
  for (const [what, lose] of Object.entries(losses)) {
    test(`${what}: its copy takes over, and is still there afterwards`, async () => {
      const dir = aCopyOf(ours)
      lose(dir)
      const { names, notices } = await start(dir)
      expect(names).toEqual(['node of ours'])
      expect(notices).toEqual([expect.stringContaining(`The database pulse.db ${what}`)])
      expect(notices[0]).toContain('Pulse continues with its copy of 20')
      expect(await start(dir)).toEqual({ names: ['node of ours'], notices: [] })
      fs.rmSync(inDir(dir, 'pulse.db'))
      expect((await start(dir)).names).toEqual(['node of ours'])
    })
  }

  test('with a copy that is damaged too: an older copy takes over', async () => {
    const dir = aCopyOf(ours)
    fs.renameSync(copyPath(dir), `${copyPath(dir)}.2`)
    fs.writeFileSync(copyPath(dir), 'not a copy'.repeat(500))
    fs.rmSync(inDir(dir, 'pulse.db'))
    expect((await start(dir)).names).toEqual(['node of ours'])
    expect(fs.readdirSync(dir).some((name) => name.startsWith('pulse.db.copy.damaged-'))).toBe(true)
  })

  test.each(['.encryption.key', 'pulse.db.before-0002', '.bootstrap_token', 'temperature', 'pulse.lock'])(
    'with nothing left but %s: no silent first run',
    async (sign) => {
      const dir = path.join(root, `case-${count++}`)
      fs.mkdirSync(dir)
      const from = inDir(ours, sign)
      fs.writeFileSync(inDir(dir, sign), fs.existsSync(from) ? fs.readFileSync(from) : 'x', { mode: 0o600 })
      const { names, notices } = await start(dir, { usedBefore: sign === 'pulse.lock' })
      expect(names).toEqual([])
      expect(notices).toEqual([
        expect.stringMatching(
          /was missing, and no usable copy exists: .* locked .*one-time token.*put pulse\.db/,
        ),
      ])
    },
  )

  test('a first start is one: what an administrator lays down before it is no sign of an earlier one', async () => {
    const dir = path.join(root, `case-${count++}`)
    fs.mkdirSync(dir)
    fs.writeFileSync(inDir(dir, '.env'), '')
    fs.writeFileSync(inDir(dir, 'pulse.yaml'), '')
    expect(await start(dir)).toEqual({ names: [], notices: [] })
  })

  test('[R12] and the key with it: refused, with the way to mend it, and nothing is changed', async () => {
    const dir = aCopyOf(ours)
    fs.rmSync(inDir(dir, 'pulse.db'))
    fs.rmSync(inDir(dir, '.encryption.key'))
    const before = fingerprintsOf(dir)
    await expect(start(dir)).rejects.toThrow(/encryption key .* is missing.*Restore the key file/s)
    fs.copyFileSync(inDir(others, '.encryption.key'), inDir(dir, '.encryption.key'))
    await expect(start(dir)).rejects.toThrow(/is not the one.*PULSE_ENCRYPTION_KEY_FILE/s)
    fs.rmSync(inDir(dir, '.encryption.key'))
    expect(fingerprintsOf(dir)).toEqual(before)
  })

  test('[S3] a restored copy brings no session back', async () => {
    const dir = aCopyOf(ours)
    const insert = `INSERT INTO sessions VALUES ('h', 'u', 'password', 'c', 'a', 1, 1, 9)`
    const data = await openData(dir, undefined, nowMs())
    await data.maintenance.run([{ sql: insert, parameters: [] }])
    await data.maintenance.backup(copyPath(dir))
    await data.maintenance.close()
    fs.rmSync(inDir(dir, 'pulse.db'))
    const { db, maintenance } = await openData(dir, undefined, nowMs())
    expect(await db.query.selectFrom('sessions').selectAll().execute()).toEqual([])
    await maintenance.close()
  })
})

const disk = aSmallDisk()
if (!disk) console.log('skipped: no small disk without root and mount')
describe.skipIf(!disk || isOnPostgres)('[R10] a full disk', () => {
  const dir = disk?.dir ?? ''
  beforeAll(() => fs.cpSync(ours, dir, { recursive: true }))
  afterAll(() => disk!.end())

  test('while copying leaves the earlier copy as it was, and nothing half done', async () => {
    const data = await openData(dir, undefined, nowMs())
    await connectionStore(data.db, data.vault).insert({ ...aStoredConnection('new'), id: 'pve-2' }, nowMs())
    const before = fs.readFileSync(copyPath(dir))
    disk!.fill()
    await expect(data.maintenance.renewCopy(copyPath(dir), nowMs())).rejects.toThrow(/full/)
    expect(fs.readFileSync(copyPath(dir)).equals(before)).toBe(true)
    expect(fs.readdirSync(dir).filter((name) => name.includes('partial'))).toEqual([])
    await data.maintenance.close()
    expect((await start(dir)).notices).toEqual([
      expect.stringContaining('could not be copied (the disk is full)'),
    ])
    fs.rmSync(inDir(dir, 'filler'))
    expect((await start(dir)).notices).toEqual([])
  })

  test('while restoring: refused with the reason, nothing is moved, and with space it goes on', async () => {
    const saved = fs.readFileSync(inDir(dir, 'pulse.db'))
    fs.truncateSync(inDir(dir, 'pulse.db'), 100)
    disk!.fill()
    await expect(start(dir)).rejects.toThrow(/cannot be read or repaired.*space and the permissions/s)
    expect(fs.statSync(inDir(dir, 'pulse.db')).size).toBe(100)
    fs.rmSync(inDir(dir, 'filler'))
    expect((await start(dir)).names).toContain('node of ours')
    fs.writeFileSync(inDir(dir, 'pulse.db'), saved)
  })
})

describe.skipIf(isOnPostgres)('[S8] a server whose database was lost', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(undefined, {})
    const token = fs.readFileSync(inDir(server.dataDir, '.bootstrap_token'), 'utf8').trim()
    expect((await setUp('anna', { setupToken: token })).status).toBe(200)
  })
  afterAll(() => server.stop())

  const lose = async (names: readonly string[]) =>
    server.pausedFor(async () => {
      for (const name of names) fs.rmSync(inDir(server.dataDir, name), { force: true })
    })
  const password = 'correct horse battery'
  const setUp = (username: string, more = {}) =>
    server.as({})('POST', '/api/security/quick-setup', {
      username,
      password,
      apiToken: randomBytes(32).toString('hex'),
      ...more,
    })

  test('has its accounts, and cannot be set up again', async () => {
    await lose(['pulse.db'])
    expect((await login(server, 'anna', password)).status).toBe(200)
    await setUp('eve', { setupToken: 'guess' })
    expect((await login(server, 'eve', password)).status).toBe(401)
    expect(server.logLines.join('')).toContain(
      'The database pulse.db was missing. Pulse continues with its copy',
    )
  })

  test('and its copies with it, stays closed without the token from its console', async () => {
    await lose(fs.readdirSync(server.dataDir).filter((name) => name.startsWith('pulse.db')))
    expect((await server.as({})('GET', '/api/state')).status).toBe(401)
    expect((await setUp('eve', { setupToken: 'guess' })).status).toBe(403)
    expect(server.logLines.join('')).toContain('locked until sign-in is set up with the one-time token')
  })
})
