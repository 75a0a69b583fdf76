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
    const log = (at: number, id: string, name: string) =>
      own.past.answer({
        id: 0,
        do: 'log',
        now: at,
        entries: [
          { at, kind: 'guests', id, do: 'put', fields: { name, type: 'qemu', source: id.split(':')[0] } },
        ],
      }) as Extract<PastResult, { do: 'log' }>
    return {
      log,
      changesOf(id: string) {
        const query = { from: 0, to: Infinity, kinds: ['guests' as const], id, most: 10 }
        const work = own.past.changes({ id: 0, do: 'changes', query, isCounted: false })
        let step = work.next()
        for (; !step.done; step = work.next());
        return (step.value as Extract<PastResult, { do: 'changes' }>).page
      },
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
