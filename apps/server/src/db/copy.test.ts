import { fakeClock } from '@pulse/testkit'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aGround, type Ground } from '../auth/fixtures.ts'
import { keepCopy } from '../start/keep-copy.ts'
import { copyPath } from '../start/open-data.ts'
import { aStoredConnection } from '../testing/data-folder.ts'
import type { Maintenance } from './database.ts'
import { type ConnectionStore, connectionStore } from './connections.ts'

const DAY_MS = 24 * 3_600_000
let ground: Ground
let connections: ConnectionStore
let to: string

beforeAll(async () => {
  ground = await aGround('embedded')
  to = copyPath(ground.dataDir)
})
beforeEach(async () => {
  await ground.clear()
  await ground.db.query.deleteFrom('connections').execute()
  for (const name of copies()) fs.rmSync(path.join(ground.dataDir, name))
  connections = connectionStore(ground.db, ground.vault)
})
afterAll(() => ground.end())

const renewCopy = (at: string, ms: number) => (ground.maintenance as Maintenance).renewCopy(at, ms)
const copies = () =>
  fs
    .readdirSync(ground.dataDir)
    .filter((name) => name.startsWith('pulse.db.copy'))
    .sort()
const node = (n: number) => ({ ...aStoredConnection(`node ${n}`), id: `pve-${n}` })
/** Sets the file's time to that moment, as if the copy had been written then. */
async function copyAt(ms: number): Promise<boolean> {
  const isNew = await renewCopy(to, ms)
  if (isNew) fs.utimesSync(to, ms / 1000, ms / 1000)
  return isNew
}

test('a flapping member makes no copy: what a cluster says about itself is not worth one', async () => {
  const clock = fakeClock()
  const made: boolean[] = []
  const renew = async (at: string, ms: number) => (made.push(await renewCopy(at, ms)), made.at(-1)!)
  const copy = keepCopy(renew, to, clock, ground.log)
  await connections.insert(node(1), 1)
  copy.changed()
  await clock.advance(2_000)
  await expect.poll(() => made).toEqual([true])
  const inode = fs.statSync(to).ino
  for (let minute = 1; minute <= 60; minute++) {
    const online = minute % 2
    const member = {
      NodeID: '1',
      NodeName: 'a',
      Host: 'https://127.0.0.1:8006',
      IP: '127.0.0.1',
      Online: online === 1,
      LastSeen: '',
      LastError: '',
    }
    await connections.learned({ ...node(1), clusterName: 'c', clusterEndpoints: [member as never] }, minute)
    copy.changed()
    await clock.advance(60_000)
    await expect.poll(() => made.length).toBe(minute + 1)
  }
  expect(made.slice(1)).toEqual(Array.from({ length: 60 }, () => false))
  expect(fs.statSync(to).ino).toBe(inode)
})

test('writes that go on for an hour are copied once a minute at most, and the last of them when Pulse ends', async () => {
  const clock = fakeClock()
  let made = 0
  const copy = keepCopy(async () => ++made > 0, to, clock, ground.log)
  for (let second = 0; second < 3600; second++) {
    copy.changed()
    await clock.advance(1_000)
  }
  expect(made).toBeGreaterThan(50)
  expect(made).toBeLessThanOrEqual(61)
  const before = made
  copy.changed()
  await copy.stop()
  expect(made).toBe(before + 1)
})

describe('[R11] a copy that is replaced', () => {
  test('keeps the last state of each of three earlier days', async () => {
    for (let day = 1; day <= 6; day++) {
      await connections.insert(node(day), day)
      await copyAt(day * DAY_MS)
      await connections.insert(node(100 + day), day)
      await copyAt(day * DAY_MS + 1000)
    }
    expect(copies()).toEqual(['pulse.db.copy', 'pulse.db.copy.1', 'pulse.db.copy.2', 'pulse.db.copy.3'])
  })

  test('by one that holds much less, is kept under a name of its own, three of them at most', async () => {
    for (let n = 1; n <= 5; n++) {
      await connections.insert(node(n), n)
      await copyAt(DAY_MS + n * 2000)
      await connections.remove(`pve-${n}`)
      await copyAt(DAY_MS + n * 2000 + 1000)
    }
    expect(copies().filter((name) => name.includes('.kept-'))).toHaveLength(3)
  })

  test('and damaged, is kept aside', async () => {
    await connections.insert(node(1), 1)
    fs.writeFileSync(to, 'not a database'.repeat(100))
    expect(await copyAt(DAY_MS)).toBe(true)
    expect(copies()).toEqual(['pulse.db.copy', expect.stringContaining('pulse.db.copy.damaged-1970-01-02')])
  })
})
