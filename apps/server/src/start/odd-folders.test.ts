import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectionStore } from '../db/connections.ts'
import { realClock } from '../edges.ts'
import { aStoredConnection } from '../testing/data-folder.ts'
import { adminToken, startTestServer } from '../testing/server.ts'
import { aSmallDisk } from '../testing/small-disk.ts'
import { isOnPostgres } from '../testing/database-of-tests.ts'
import { copyPath, openData } from './open-data.ts'

let root: string
let dir: string
let count = 0
const nowMs = () => Date.UTC(2026, 5, 1) + count++ * 1000

beforeAll(() => void (root = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-odd-'))))
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))
beforeEach(async () => {
  dir = path.join(root, `case-${count++}`)
  fs.mkdirSync(dir)
  const data = await openData(dir, undefined, nowMs())
  await connectionStore(data.db, data.vault).insert(aStoredConnection('ours'), nowMs())
  await data.maintenance.renewCopy(copyPath(dir), nowMs())
  await data.maintenance.close()
})

async function start() {
  const { db, maintenance, vault, notices } = await openData(dir, undefined, nowMs())
  try {
    return { names: (await connectionStore(db, vault).all()).map((c) => c.name), notices }
  } finally {
    await maintenance.close()
  }
}

describe('[R11] a folder with something odd in it', () => {
  test('a link that leads nowhere does not keep a lost database from being restored', async () => {
    fs.symlinkSync(path.join(root, 'nowhere'), path.join(dir, 'mine'))
    fs.rmSync(path.join(dir, 'pulse.db'))
    expect((await start()).names).toEqual(['ours'])
  })

  test('a folder in the place of the copy is kept aside, and copies are made again', async () => {
    fs.rmSync(copyPath(dir))
    fs.mkdirSync(copyPath(dir))
    expect(await start()).toEqual({ names: ['ours'], notices: [] })
    expect(fs.statSync(copyPath(dir)).isFile()).toBe(true)
  })

  test('the copy of a newer version is neither passed over for an older one nor overwritten', async () => {
    fs.copyFileSync(copyPath(dir), `${copyPath(dir)}.1`)
    const db = new DatabaseSync(copyPath(dir))
    db.prepare('INSERT INTO schema_migrations VALUES (?, ?)').run('9999-later.sql', 1)
    db.close()
    const before = fs.readFileSync(copyPath(dir))
    fs.rmSync(path.join(dir, 'pulse.db'))
    await expect(start()).rejects.toThrow(/pulse\.db\.copy was written by a newer version/)
    expect(fs.readFileSync(copyPath(dir)).equals(before)).toBe(true)
  })
})

const disk = aSmallDisk()
describe.skipIf(!disk || isOnPostgres)('[R10] a disk that is full when Pulse starts', () => {
  afterAll(() => disk!.end())

  test('keeps the pages readable; with free space again changes are stored', async () => {
    fs.cpSync(dir, disk!.dir, { recursive: true })
    const server = await startTestServer(realClock, { API_TOKENS: adminToken }, disk!.dir)
    await server.pausedFor(async () => void disk!.fill())
    expect((await server.call('GET', '/api/state')).status).toBe(200)
    const rename = () => server.call('PUT', '/api/config/nodes/pve-1', { type: 'pve', name: 'other' })
    expect((await rename()).status).toBe(507)
    fs.rmSync(path.join(disk!.dir, 'filler'))
    expect((await rename()).status).toBe(200)
    await server.server.stop()
  })
})
