import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { Identity } from './messages.ts'
import { openThings } from './thing-file.ts'

const T0 = Date.UTC(2026, 0, 5)
const hour = 3_600_000
const day = 24 * hour

function given() {
  const db = new DatabaseSync(':memory:')
  const open = () => {
    const things = openThings(db)
    const identify = (ids: readonly string[], change: Partial<Identity> = {}) =>
      things.identify(
        T0,
        [],
        ids.map((id) => ({
          kind: 'guests',
          id,
          alias: `prod${id.slice(id.indexOf(':'))}`,
          mark: 'web',
          ...change,
        })),
      )
    const end = (number: number, goneAt = T0) =>
      void things.identify(T0, [{ kind: 'guests', number, goneAt }], [])
    return { things, identify, end }
  }
  return { ...open(), open, rows: () => Number(db.prepare('SELECT count(*) AS n FROM things').get()!['n']) }
}

test('[M 1.4] numbers count per kind', () => {
  const { identify } = given()
  expect(identify(['a:100', 'a:101'])).toEqual([0, 1])
  expect(identify(['a:pve1'], { kind: 'nodes' })).toEqual([0])
})

test('[M 1.4] none of its questions searches all things of a kind: a start with 20,000 would take 17 seconds', () => {
  const db = new DatabaseSync(':memory:')
  const asked: string[] = []
  openThings(
    new Proxy(db, {
      get(one, name) {
        if (name === 'prepare')
          return (sql: string) => {
            asked.push(sql)
            return one.prepare(sql)
          }
        const value = Reflect.get(one, name, one) as unknown
        return typeof value === 'function' ? (value.bind(one) as unknown) : value
      },
    }),
  )
  const slow = asked.filter((sql) =>
    db
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .some(({ detail }) => /SCAN (things|former_ids)|PRIMARY KEY \(kind=\?\)$/.test(String(detail))),
  )
  expect(asked.length).toBeGreaterThan(5)
  // of former ids there are only as many as things of connections that were added again
  expect(slow.filter((sql) => !sql.startsWith('DELETE FROM former_ids'))).toEqual([])
})

test('[M 1.4] what is there after a restart has the number it had', () => {
  const { identify, open } = given()
  identify(['a:100', 'a:101'])
  expect(open().identify(['a:101', 'a:100'])).toEqual([1, 0])
})

test('[M 1.4] a connection that is added again under the same name continues the lines', () => {
  const { identify, end, things } = given()
  identify(['a:100'])
  end(0)
  expect(identify(['b:100'])).toEqual([0])
  expect(things.find('guests', ['a:100', 'b:100'])).toEqual([undefined, 0])
})

test('[M 1.4] connections of the same name have their own things while both exist', () => {
  const { identify } = given()
  expect(identify(['a:100', 'b:100'])).toEqual([0, 1])
})

test('[M 1.4] another mark is another thing, and the id leads to the newest one', () => {
  const { identify, end, things } = given()
  identify(['a:100'])
  end(0)
  expect(identify(['a:100'], { mark: 'db' })).toEqual([1])
  expect(things.find('guests', ['a:100', 'a:999'])).toEqual([1, undefined])
})

test('[M 1.4] an id means the last thing that came to have it before a time, and the one it has now without a time', () => {
  const { things } = given()
  const come = (at: number, id: string, mark: string, gone: readonly number[] = []) =>
    things.identify(
      at,
      gone.map((number) => ({ kind: 'guests', number, goneAt: at })),
      [{ kind: 'guests', id, alias: `prod:${id}`, mark }],
    )
  come(T0, 'a:100', 'web')
  things.identify(T0 + hour, [{ kind: 'guests', number: 0, goneAt: T0 + hour }], [])
  come(T0 + 2 * hour, 'a:100', 'db')
  come(T0 + 3 * hour, 'a:100', 'mail', [1])
  come(T0, 'a:101', 'other')
  const found = (before?: number) => things.find('guests', ['a:101', 'a:100', 'a:9'], before)
  expect(found()).toEqual([3, 2, undefined])
  expect([1, 1.5, 2].map((n) => found(T0 + n * hour)[1])).toEqual([0, 0, 0])
  expect([2, 3].map((n) => found(T0 + n * hour + 1)[1])).toEqual([1, 2])
  // what has a time before all things had it by a clock that was ahead
  expect(found(T0)[1]).toBe(2)
})

test('[M 1.4] the id of before, of a connection that was added again, leads to its thing as long as it had it', () => {
  const { identify, end, things } = given()
  identify(['a:100'])
  end(0)
  things.identify(T0 + hour, [], [{ kind: 'guests', id: 'b:100', alias: 'prod:100', mark: 'web' }])
  expect(things.find('guests', ['a:100', 'b:100'], T0 + hour)).toEqual([0, 0])
  expect(things.find('guests', ['a:100', 'b:100'], T0 + hour + 1)).toEqual([undefined, 0])
})

test('[M 1.4] the id of before leads to the guest that had it last, and not to the one before that', () => {
  const { things } = given()
  const come = (at: number, id: string, mark: string) =>
    things.identify(at, [], [{ kind: 'guests', id, alias: 'prod:100', mark }])
  const end = (at: number, number: number) =>
    things.identify(at, [{ kind: 'guests', number, goneAt: at }], [])
  come(T0, 'a:100', 'web')
  end(T0 + hour, 0)
  come(T0 + 2 * hour, 'a:100', 'db')
  end(T0 + 4 * hour, 1)
  come(T0 + 5 * hour, 'b:100', 'db')
  const found = (hours: number) => things.find('guests', ['a:100', 'b:100'], T0 + hours * hour)
  expect([1, 2, 3, 5].map(found)).toEqual([
    [0, 1],
    [0, 1],
    [1, 1],
    [1, 1],
  ])
  const spans = (before: number) => things.spansOf('guests', 'a:100', before)
  expect(spans(T0 + hour)).toEqual([{ id: 'a:100', from: -Infinity, to: T0 + hour + 1 }])
  expect(spans(T0 + 3 * hour)).toEqual([
    { id: 'a:100', from: T0 + hour + 1, to: Infinity },
    { id: 'b:100', from: -Infinity, to: Infinity },
  ])
})

test('[M 1.4] the id of before of a thing that is forgotten leads to nothing, also if a clock was ahead when that id ended', () => {
  const { identify, end, things } = given()
  identify(['a:100'])
  end(0)
  things.identify(T0 + 300 * day, [], [{ kind: 'guests', id: 'b:100', alias: 'prod:100', mark: 'web' }])
  end(0, T0 + hour)
  expect([...things.prune(T0 + 30 * day)]).toEqual([])
  expect(things.find('guests', ['a:100'], T0 + 20 * day)).toEqual([undefined])
  expect(things.find('guests', ['a:100'], T0)).toEqual([undefined])
  expect(things.at('guests', 'a:100', T0)).toBeUndefined()
  expect(things.spansOf('guests', 'a:100', T0)).toEqual([{ id: 'a:100', from: -Infinity, to: Infinity }])
})

test('[M 1.4] a thing that was renamed is known by its new name after a restart', () => {
  const { identify, things, open } = given()
  identify(['a:100'])
  things.identify(T0, [{ kind: 'guests', number: 0, mark: 'new' }], [])
  expect(open().identify(['a:100'], { mark: 'new' })).toEqual([0])
})

test('what cannot be stored whole is not stored at all', () => {
  const { identify, things, rows } = given()
  expect(() => identify(['a:100', null as unknown as string])).toThrow()
  expect([rows(), things.find('guests', ['a:100'])]).toEqual([0, [undefined]])
  expect(identify(['a:100'])).toEqual([0])
})

test('[M 4] short-lived things are forgotten, long-lived ones stay, and no number is used twice', () => {
  const { identify, end, things, rows } = given()
  identify(
    Array.from({ length: 2_500 }, (_, n) => `a:${n}`),
    { mark: '' },
  )
  for (let n = 1; n < 2_500; n++) end(n, T0 + (n === 1 ? 2 * day : hour))
  const steps = [...things.prune(T0 + 3 * day)]
  expect([rows(), steps.length]).toEqual([2, 2])
  expect(identify(['a:new'])).toEqual([2_500])
})
