import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scale } from '../auth/fixtures.ts'
import { connectionStore } from '../db/connections.ts'
import { renewCopy } from '../db/copy.ts'
import { createVault } from '../seal.ts'
import { aStoredConnection, randomFrom } from '../testing/data-folder.ts'
import { keyPath, readKey } from './key-file.ts'
import { copyPath, openData } from './open-data.ts'
import { mendDatabase } from './mend-database.ts'
import { StartupError } from '../startup-error.ts'
import { tightenDataDir } from './tighten.ts'

let root: string
/** a folder with a node, its key and its copy, and that of another installation */
let ours: string
let others: string
let count = 0

beforeAll(async () => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-mutated-'))
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

/** The file work of a start without the thread, because it runs a thousand times. */
function start(dir: string) {
  tightenDataDir(dir)
  const keyFile = keyPath(dir, undefined)
  const key = readKey(keyFile)
  const file = inDir(dir, 'pulse.db')
  const vault = key && createVault(key)
  const notice = mendDatabase(file, { keyFile, vault, usedBefore: true, nowMs: nowMs() })
  if (!fs.existsSync(file)) return { nodes: 0, notice }
  const db = new DatabaseSync(file)
  try {
    renewCopy(db, copyPath(dir), nowMs())
    return { nodes: Number(db.prepare('SELECT count(*) AS n FROM connections').get()!['n']), notice }
  } finally {
    db.close()
  }
}

const mutations: Record<string, (dir: string, file: string, random: () => number) => void> = {
  'cut short': (_dir, file, random) => fs.truncateSync(file, Math.floor(fs.statSync(file).size * random())),
  zeroed: (_dir, file, random) => edit(file, random, (bytes, at, to) => bytes.fill(0, at, to)),
  'bits flipped': (_dir, file, random) =>
    edit(file, random, (bytes, at) => {
      for (let n = 0; n < 8; n++) bytes[(at + n * 97) % bytes.length]! ^= 1 << Math.floor(random() * 8)
    }),
  noise: (_dir, file, random) =>
    edit(file, random, (bytes, at, to) => {
      for (let i = at; i < to; i++) bytes[i] = Math.floor(random() * 256)
    }),
  emptied: (_dir, file) => fs.truncateSync(file),
  removed: (_dir, file) => fs.rmSync(file),
  'another installation’s': (_dir, file) => fs.copyFileSync(path.join(others, path.basename(file)), file),
  'open to all': (_dir, file) => fs.chmodSync(file, 0o666),
  unreadable: (_dir, file) => fs.chmodSync(file, 0o000),
  'in place of the other': (dir, file, random) => {
    const names = ['pulse.db', 'pulse.db.copy', '.encryption.key']
    fs.copyFileSync(inDir(dir, names[Math.floor(random() * names.length)]!), `${file}.swapped`)
    fs.renameSync(`${file}.swapped`, file)
  },
}

function edit(file: string, random: () => number, change: (bytes: Buffer, at: number, to: number) => void) {
  const bytes = fs.readFileSync(file)
  if (bytes.length === 0) return
  const at = Math.floor(random() * bytes.length)
  change(bytes, at, Math.min(bytes.length, at + 1 + Math.floor(random() * 5000)))
  fs.writeFileSync(file, bytes)
}

const cases = scale > 1 ? 1000 : 50

test(`[R11] [R12] ${cases} mutations: never a silent first run, never the last good state overwritten`, () => {
  for (let seed = 1; seed <= cases; seed++) {
    const random = randomFrom(seed)
    const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!
    const dir = path.join(root, `case-${seed}`)
    fs.cpSync(ours, dir, { recursive: true })
    const file = pick(['pulse.db', 'pulse.db', 'pulse.db.copy', '.encryption.key'])
    const [what, mutate] = pick(Object.entries(mutations))
    const title = `seed ${seed}: ${file} ${what}`
    mutate(dir, inDir(dir, file), random)
    const isWholeKey = file !== '.encryption.key'
    if (isWholeKey) expectWhole(dir, title)
    else expectRefused(dir, title)
    fs.rmSync(dir, { recursive: true })
  }
})

/** One of the two files is intact: its content must survive a start, and the next loss too. */
function expectWhole(dir: string, title: string) {
  expect(start(dir).nodes, title).toBe(1)
  expect(start(dir), title).toEqual({ nodes: 1, notice: undefined })
  fs.rmSync(inDir(dir, 'pulse.db'))
  expect(start(dir).nodes, title).toBe(1)
}

/** A foreign key must open nothing and change nothing. */
function expectRefused(dir: string, title: string) {
  const key = inDir(dir, '.encryption.key')
  const right = inDir(ours, '.encryption.key')
  const bytesOf = (file: string) => Buffer.from(fs.readFileSync(file, 'utf8').trim(), 'base64')
  // its last byte is a line end
  const isSame = fs.existsSync(key) && bytesOf(key).equals(bytesOf(right))
  if (isSame && !(fs.statSync(key).mode & 0o077)) return expectWhole(dir, title)
  expect(() => start(dir), title).toThrow(StartupError)
  fs.rmSync(key, { force: true })
  fs.copyFileSync(right, key)
  fs.chmodSync(key, 0o600)
  expect(start(dir), title).toEqual({ nodes: 1, notice: undefined })
}
