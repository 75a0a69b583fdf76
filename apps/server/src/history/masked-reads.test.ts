import type { FileSystem } from '@pulse/contract'
import { fileSystemId, type Tables } from '@pulse/domain'
import { aGuest } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { createMask } from '../masking/mask.ts'
import { maskedReads } from './masked-reads.ts'

function given(mountpoint: string | undefined, guestId = 'main:100') {
  const mask = createMask()
  const disk = { ...(mountpoint && { mountpoint }), total: 100, used: 50, free: 50, usage: 50 }
  const real = fileSystemId(guestId, disk, 0)
  const record: FileSystem = { source: 'main', guestId, guest: aGuest(), disk }
  const tables = { fileSystems: new Map([[real, record]]) } as unknown as Tables
  const refused = () => Promise.reject(new Error('not asked'))
  const asked: { id: string; shown: string }[] = []
  const reads = maskedReads(
    {
      charts: refused,
      trends: refused,
      series(_kind, records) {
        asked.push(...records)
        return Promise.resolve(Buffer.from(''))
      },
    },
    tables,
    mask,
  )
  return {
    real,
    /** as pages of a demonstration make it */
    shown: fileSystemId(mask.id(guestId), mask.deep(disk), 0),
    async find(id: string) {
      await reads.series('fileSystems', [{ id, shown: id }], [], {} as never)
      return asked.at(-1)!
    },
  }
}

test.each([
  '/srv/db.musterstadt.de',
  '/mnt/10.1.2.3',
  '/srv/ann@musterstadt.de',
  '/mnt/fe80::1',
  '/mnt/aa:bb:cc:dd:ee:ff',
])('a demonstration finds the history of %s by its masked name only', async (mountpoint) => {
  const { real, shown, find } = given(mountpoint)
  expect(shown).not.toBe(real)
  expect(await find(shown)).toEqual({ id: real, shown })
  expect((await find(real)).id).not.toBe(real)
})

test.each(['/srv', undefined])('it finds that of %s, which needs no mask', async (mountpoint) => {
  const { real, find } = given(mountpoint)
  expect(await find(real)).toEqual({ id: real, shown: real })
})

test('it finds that of a guest whose connection has the name of a host, by the id that pages have of the guest', async () => {
  const { real, shown, find } = given('/srv', 'pve1.musterstadt.de:100')
  expect(shown).toMatch(/^id-/)
  expect(await find(shown)).toEqual({ id: real, shown })
})
