import type { ChangeWord } from '@pulse/contract'
import { expect, test } from 'vitest'
import { aLog, finished, minute } from './fixtures-notices.ts'
import type { NoticePart } from './change-storage.ts'
import { countNotices, readNotices, rowsPerPage } from './notice-pages.ts'
import type { ChangeNotice } from './notices.ts'

const always = { from: 0, to: Infinity, most: 100 }
const only = (id: string) => ({ ids: [{ id, from: 0, to: Infinity }] })
const aNotice = (id: string, at: number): ChangeNotice => ({
  at,
  kind: 'guests',
  id,
  name: id,
  what: 'restarted',
})

/** `count` rows with a change of another guest each, but for those in `own`. */
function aBusyEstate(count: number, own: Readonly<Record<number, string>> = {}) {
  let read = 0
  let mostAtOnce = 0
  return {
    read: () => read,
    mostAtOnce: () => mostAtOnce,
    lastRow: () => count,
    noticesBefore(_part: NoticePart, before: number, _from: number, _to: number, most: number) {
      const length = Math.max(0, Math.min(most, before - 1, count))
      read += length
      mostAtOnce = Math.max(mostAtOnce, length)
      const newest = Math.min(before - 1, count)
      return Array.from({ length }, (_, n) => {
        const id = newest - n
        return { id, text: JSON.stringify([aNotice(own[id] ?? 'busy', id)]) }
      })
    },
  }
}

test('[M 3.5] the only change of a guest is in the first answer, however much another guest changes', () => {
  const { log, put } = aLog()
  put(minute, 'guests', 'main:100', { source: 'main', name: 'web', node: 'pve1' })
  put(2 * minute, 'guests', 'main:100', { source: 'main', name: 'web', node: 'pve2' })
  for (let n = 3; n < 1_500; n++)
    put(n * minute, 'guests', 'main:101', { source: 'main', name: `busy${n}`, node: 'pve1' })
  const page = finished(log.notices({ ...always, kinds: ['guests'], ...only('main:100') }))
  expect(page.notices.map(({ what }) => what)).toEqual(['moved'])
  expect(page.cursor).toBeUndefined()
})

test('[M 4] an answer has a bound on what it reads, and its cursor goes on behind it', () => {
  const rows = aBusyEstate(rowsPerPage + 500, { 200: 'web' })
  const first = finished(readNotices(rows, [], { ...always, ...only('web') }))
  expect(first.notices).toEqual([])
  expect(first.cursor).toBeDefined()
  expect(rows.read()).toBe(rowsPerPage)
  const second = finished(readNotices(rows, [], { ...always, ...only('web'), cursor: first.cursor }))
  expect(second).toEqual({ notices: [aNotice('web', 200)] })
})

test('[M 4] a caller can do other work after every hundred rows, whatever is asked', () => {
  const rows = aBusyEstate(5_000)
  let steps = 0
  for (const _ of readNotices(rows, [], { ...always, ...only('web') })) steps++
  expect(steps).toBe(50)
  steps = 0
  for (const _ of countNotices(rows, [], 0, Infinity)) steps++
  expect(steps).toBe(50)
  expect(rows.mostAtOnce()).toBe(100)
})

test('[M 3.1] backups of every day are only in answers to a request for them, and in no count', () => {
  const { log, put } = aLog()
  const record = { source: 'main', name: 'web', node: 'pve1' }
  put(minute, 'guests', 'main:100', record)
  put(2 * minute, 'guests', 'main:100', { ...record, lock: 'backup' })
  put(3 * minute, 'guests', 'main:100', { ...record, node: 'pve2' })
  const words = (asked?: readonly ChangeWord[]) =>
    finished(log.notices({ ...always, kinds: ['guests'], words: asked })).notices.map(({ what }) => what)
  expect(words()).toEqual(['moved'])
  expect(words(['backupEnded', 'backupStarted'])).toEqual(['backupEnded', 'backupStarted'])
  expect(finished(log.noticeCounts(2 * minute, Infinity)).counts).toEqual([
    { kind: 'guests', what: 'moved', count: 1 },
  ])
})

test('[M 4] a list and a count without backups read none, however many there are', () => {
  const { log, put, storage } = aLog()
  const record = { source: 'main', name: 'web', node: 'pve1' }
  put(minute, 'guests', 'main:100', record)
  for (let n = 2; n < 500; n++)
    put(n * minute, 'guests', 'main:100', n % 2 ? record : { ...record, lock: 'backup' })
  put(500 * minute, 'guests', 'main:100', { ...record, node: 'pve2' })
  log.flush()
  const asked: string[] = []
  const rows = {
    ...storage,
    noticesBefore(...of: Parameters<typeof storage.noticesBefore>) {
      asked.push(of[0])
      return storage.noticesBefore(...of)
    },
  }
  expect(finished(readNotices(rows, [], always)).notices.map(({ what }) => what)).toEqual(['moved', 'came'])
  expect(finished(countNotices(rows, [], 2 * minute, Infinity)).counts).toHaveLength(1)
  expect(asked).toEqual(['notices', 'notices'])
})

test('[M 3.1] backups and other changes of the same minutes are one list, in the order of time, page by page', () => {
  const { log, put } = aLog()
  const expected: string[] = []
  const add = (at: number, change: object, what: string) => {
    put(at, 'guests', 'main:100', { source: 'main', name: 'web', node: 'pve1', ...change })
    expected.unshift(`${at} ${what}`)
  }
  put(1, 'guests', 'main:100', { source: 'main', name: 'web', node: 'pve1' })
  for (let n = 1; n <= 250; n++) {
    add(n * minute, { lock: 'backup' }, 'backupStarted')
    add(n * minute + 1, { lock: 'backup', node: 'pve2' }, 'moved')
    add(n * minute + 2, { node: 'pve2' }, 'backupEnded')
    add(n * minute + 3, {}, 'moved')
  }
  const found: string[] = []
  const asked = { ...always, from: 2, words: ['moved', 'backupStarted', 'backupEnded'] as const, most: 7 }
  for (let cursor: string | undefined, more = true; more;) {
    const page = finished(log.notices({ ...asked, cursor }))
    found.push(...page.notices.map(({ at, what }) => `${at} ${what}`))
    ;({ cursor } = page)
    more = cursor !== undefined
  }
  expect(found).toEqual(expected)
})

test('[M 3.5] changes that become a row between two steps are listed once', () => {
  const rows = aBusyEstate(250)
  const open = [aNotice('web', 1_000)]
  const own = { ...rows, lastRow: () => length }
  let length = 250
  const work = readNotices(own, open, { ...always, most: 1_000 })
  work.next()
  length = 251
  open.length = 0
  const ids = finished(work).notices.map(({ id }) => id)
  expect(ids).toHaveLength(251)
  expect(ids.filter((id) => id === 'web')).toHaveLength(1)
})
