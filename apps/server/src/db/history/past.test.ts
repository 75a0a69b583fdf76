import type { RecordKind } from '@pulse/contract'
import type { ChangeEntry } from '@pulse/domain'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type HistoryFile, openHistoryFile } from './history-file.ts'
import type { Identity } from './messages.ts'
import type { PastResult } from './past-messages.ts'

const T0 = Date.UTC(2026, 0, 5, 12)
const minute = 60_000
const hour = 60 * minute

function given() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-history-'))
  const file = path.join(folder, 'history.db')
  let history: HistoryFile | undefined
  onTestFinished(() => {
    history?.close()
    fs.rmSync(folder, { recursive: true, force: true })
  })
  /** As a start of Pulse does. */
  function open(reserveBytes = 0) {
    history?.close()
    const own = openHistoryFile(file, [{ kind: 'guests', name: 'cpu' }], reserveBytes)
    history = own
    const answer = (entries: ChangeEntry[], at: number) =>
      own.past.answer({ id: 0, do: 'log', now: at, entries }) as Extract<PastResult, { do: 'log' }>
    const put = (at: number, kind: RecordKind, id: string, fields: Record<string, unknown>) =>
      answer([{ at, kind, id, do: 'put', fields }], at)
    const log = (at: number, id: string, name: string) =>
      put(at, 'guests', id, { name, type: 'qemu', source: id.split(':')[0] })
    return {
      log,
      /** of main:100 until then, newest first; with the thing of another time */
      changes(to: number, asOf?: number) {
        const { notices } = changesOf(own, 'main:100', to, asOf)
        return notices.map(({ name, what }) => `${name} ${what}`)
      },
      changesOf: (id: string) => changesOf(own, id),
      connected: (at: number) => put(at, 'sources', 'main', { name: 'prod', kind: 'pve', health: 'healthy' }),
      remove: (at: number, id: string) => answer([{ at, kind: 'guests', id, do: 'remove' }], at),
      /** a record with a sample, and the end of the one with that number */
      seen(at: number, id: string, name: string, cpu: number, gone?: number) {
        const one: Identity = { kind: 'guests', id, alias: `prod${id.slice(id.indexOf(':'))}`, mark: name }
        const changes = gone === undefined ? [] : [{ kind: 'guests' as const, number: gone, goneAt: at }]
        const things = own.things.identify(at, changes, [one])
        own.append(at, [{ field: own.opened().fields[0]!.number, things, values: [cpu * 1_000] }])
        log(at, id, name)
      },
      end: (goneAt: number, number: number) =>
        void own.things.identify(goneAt, [{ kind: 'guests', number, goneAt }], []),
      cpuAt(at: number) {
        const query = { at, slice: 'live', tier: 'raw', gzip: false } as const
        const { body } = own.past.answer({ id: 0, do: 'state', query }) as Extract<
          PastResult,
          { do: 'state' }
        >
        const { frame } = JSON.parse(Buffer.from(body!).toString()) as {
          frame: { index: { guests: string[] }; state: { guests: { cpu?: number }[] } }
        }
        return Object.fromEntries(frame.index.guests.map((id, n) => [id, frame.state.guests[n]!.cpu]))
      },
    }
  }
  return { open }
}

function changesOf({ past }: HistoryFile, id: string, to = Infinity, asOf?: number) {
  const query = { from: 0, to, kinds: ['guests' as const], id, most: 10 }
  const work = past.changes({
    id: 0,
    do: 'changes',
    query,
    isCounted: false,
    ...(asOf !== undefined && { asOf }),
  })
  let step = work.next()
  for (; !step.done; step = work.next());
  return (step.value as Extract<PastResult, { do: 'changes' }>).page
}

test('[M 3.4] a guest that took the number of another while Pulse was off has its own figures', () => {
  const { open } = given()
  open().seen(T0, 'main:100', 'web', 0.1)
  const { seen, cpuAt } = open()
  seen(T0 + hour, 'main:100', 'db', 0.9)
  expect(cpuAt(T0 + minute)).toEqual({ 'main:100': 0.1 })
  expect(cpuAt(T0 + hour + minute)).toEqual({ 'main:100': 0.9 })
})

test('[M 4] a guest that went while the clock was a year ahead does not hide the one after it', () => {
  const { seen, end, cpuAt } = given().open()
  seen(T0, 'main:100', 'web', 0.1)
  end(T0 + 365 * 24 * hour, 0)
  seen(T0 + hour, 'main:100', 'db', 0.9)
  expect(cpuAt(T0 + hour + minute)).toEqual({ 'main:100': 0.9 })
})

test('[M 3.4] a connection that was added again has its figures of before under the ids of before', () => {
  const { seen, cpuAt } = given().open()
  seen(T0, 'main:100', 'web', 0.1)
  seen(T0 + hour, 'other:100', 'web', 0.9, 0)
  expect(cpuAt(T0 + minute)).toEqual({ 'main:100': 0.1 })
  expect(cpuAt(T0 + hour + minute)).toMatchObject({ 'other:100': 0.9 })
})

test('[M 1.4] the changes of a guest are not those of another one that had its number before or after it', () => {
  const { open } = given()
  const before = open()
  before.connected(T0 - minute)
  let { seen, end, log, remove, changes } = before
  seen(T0, 'main:100', 'web', 0.1)
  log(T0 + minute, 'main:100', 'www')
  remove(T0 + hour, 'main:100')
  end(T0 + hour + 5_000, 0)
  log(T0 + hour + 15_000, 'main:100', 'db')
  seen(T0 + hour + 20_000, 'main:100', 'db', 0.9)
  expect(changes(T0 + 2 * hour)).toEqual(['db came'])
  expect(changes(T0 + hour)).toEqual(['www renamed'])
  expect(changes(T0 + hour + 15_000)).toEqual(['www went', 'www renamed'])
  // of both what happened when one took the place of the other while Pulse was off
  ;({ seen, end, log, remove, changes } = open())
  log(T0 + 2 * hour - 5_000, 'main:100', 'mail')
  seen(T0 + 2 * hour, 'main:100', 'mail', 0.5)
  log(T0 + 3 * hour, 'main:100', 'imap')
  expect(changes(T0 + 4 * hour)).toEqual(['imap renamed', 'mail renamed'])
  expect(changes(T0 + 2 * hour)).toEqual(['mail renamed', 'db came'])
  expect(changes(T0 + 2 * hour, T0 + 3 * hour)).toEqual(['mail renamed'])
})

test('[M 1.4] a guest whose connection was added again has its changes of before, and not those of a former guest', () => {
  const { connected, seen, end, log, remove, changesOf } = given().open()
  const namesOf = (id: string) => changesOf(id).notices.map(({ name, what }) => `${name} ${what}`)
  connected(T0 - hour)
  log(T0, 'main:100', 'web')
  seen(T0, 'main:100', 'web', 0.1)
  remove(T0 + hour, 'main:100')
  end(T0 + hour, 0)
  log(T0 + 2 * hour, 'main:100', 'db')
  seen(T0 + 2 * hour, 'main:100', 'db', 0.2)
  end(T0 + 3 * hour, 1)
  log(T0 + 4 * hour, 'other:100', 'db')
  seen(T0 + 4 * hour, 'other:100', 'db', 0.2)
  expect(namesOf('other:100')).toEqual(['db came'])
})

test('[M 1.4] a guest that was away and returns as the same one has all its changes', () => {
  const { connected, seen, end, log, remove, changes } = given().open()
  connected(T0 - minute)
  seen(T0, 'main:100', 'web', 0.1)
  remove(T0 + hour, 'main:100')
  end(T0 + hour, 0)
  seen(T0 + 2 * hour, 'main:100', 'web', 0.1)
  log(T0 + 3 * hour, 'main:100', 'www')
  expect(changes(T0 + 4 * hour)).toEqual(['www renamed', 'web came', 'web went'])
})

test('[M 1.3] changes too leave the last space of a disk to others', () => {
  const { open } = given()
  open().log(T0, 'main:100', 'web')
  const { logged } = open(1e15).log(T0 + hour, 'main:100', 'web2')
  expect(logged.lost).toMatch(/MB of disk space are free$/)
})

test('[M 3.5] the file has the changes of a guest in one answer, however much another one changes', () => {
  const { log, changesOf } = given().open()
  log(T0, 'main:100', 'web')
  log(T0 + minute, 'main:100', 'www')
  for (let n = 0; n < 1_500; n++) log(T0 + hour + n * minute, 'main:101', `busy${n}`)
  const { notices, cursor } = changesOf('main:100')
  expect(notices.map(({ what, at }) => ({ what, at }))).toEqual([{ what: 'renamed', at: T0 + minute }])
  expect(cursor).toBeUndefined()
})
