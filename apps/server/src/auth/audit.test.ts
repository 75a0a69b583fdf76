import { AuditEvent, AuditRecord, auditPageLimit } from '@pulse/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditStore } from '../db/audit.ts'
import { anyText } from '../testing/any-text.ts'
import { type Audit, type AuditEntry, createAudit, safeText } from './audit.ts'
import { aCaller, aGround, DAY_MS, type Ground } from './fixtures.ts'
import type { Principal } from './principal.ts'

let ground: Ground
let audit: Audit

beforeAll(async () => {
  ground = await aGround()
})
beforeEach(async () => {
  await ground.clear()
  audit = createAudit(auditStore(ground.db), ground.clock, ground.log)
})
afterAll(() => ground.end())

const anna: Principal = {
  method: 'session',
  id: 'user:1',
  name: 'anna',
  role: 'admin',
  isCurrent: () => true,
}
const record = (rest: Partial<AuditEntry> = {}) =>
  audit.record({ event: 'node_added', by: anna, caller: aCaller(), ...rest })
const targets = async () => (await audit.page({ limit: 1000 })).events.map((event) => event.target)

describe('[S22] a record', () => {
  test('says who, from where, what and whether; the log line says the same', async () => {
    await record({ success: false, target: 'pve1', details: 'refused' })
    const facts = {
      event: 'node_added',
      success: false,
      actor: 'anna',
      method: 'session',
      target: 'pve1',
      details: 'refused',
    }
    const { events } = await audit.page({})
    expect(events).toEqual([
      {
        id: expect.any(String),
        time: '2026-01-01T12:00:00.000Z',
        ...facts,
        address: '192.0.2.7',
        requestId: 'request-1',
      },
    ])
    expect(AuditRecord.parse(events[0])).toEqual(events[0])
    expect(ground.lines).toMatchObject([
      {
        msg: 'audit: node_added',
        audit: { ...facts, actor_id: 'user:1', address: '192.0.2.7', request_id: 'request-1' },
      },
    ])
  })

  test('of the console names no address', async () => {
    await audit.record({ event: 'lockout_reset', by: { name: 'console', method: 'console' } })
    const [event] = (await audit.page({})).events
    expect(event).not.toHaveProperty('address')
    expect(event).toMatchObject({ actor: 'console', method: 'console', success: true })
  })

  test.each([
    ['a line feed', 'anna\n{"actor":"bert"}', 'anna\\u000a{"actor":"bert"}'],
    ['a carriage return', 'a\rb', 'a\\u000db'],
    ['NUL', 'a\0b', 'a\\u0000b'],
    ['tab', 'a\tb', 'a\\u0009b'],
    ['ANSI colours', '\u001b[31mred\u001b[0m', '\\u001b[31mred\\u001b[0m'],
    ['C1 control', 'a\u009b31m', 'a\\u009b31m'],
    ['DEL', 'a\u007f', 'a\\u007f'],
    ['right-to-left override', 'a\u202egpj.exe', 'a\\u202egpj.exe'],
    ['isolates', '\u2066a\u2069', '\\u2066a\\u2069'],
    ['line separators', 'a\u2028b\u2029c\u0085d', 'a\\u2028b\\u2029c\\u0085d'],
    ['zero width', 'ad\u200bmin\ufeff', 'ad\\u200bmin\\ufeff'],
    ['a tag character', 'a\u{e0041}', 'a\\ue0041'],
    ['half a pair', 'a\ud800', 'a\\ud800'],
    ['nothing odd', 'Zoë 🔑 “x” <b>', 'Zoë 🔑 “x” <b>'],
  ])('shows %s in every text as letters', async (_, text, shown) => {
    await record({ by: { name: text, method: 'none' }, target: text, details: text })
    expect((await audit.page({})).events[0]).toMatchObject({ actor: shown, target: shown, details: shown })
    expect(ground.lines[0]).toMatchObject({ audit: { actor: shown, target: shown, details: shown } })
  })

  test('holds no more than 300 characters of a text, whatever it is', () => {
    expect(safeText('a'.repeat(5000))).toHaveLength(300)
    const text = anyText({ maxLength: 400 })
    fc.assert(
      fc.property(text, (text) => {
        expect(safeText(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
      }),
    )
  })

  test.each(AuditEvent.options)('of %s can be read back', async (event) => {
    await record({ event })
    expect((await audit.page({ event })).events).toHaveLength(1)
  })
})

describe('[S22] records come newest first', () => {
  test('also within a millisecond and while the clock stands behind', async () => {
    const names: string[] = []
    const add = async () => {
      names.unshift(`${names.length}`)
      await record({ target: names[0]! })
    }
    for (let i = 0; i < 40; i++) await add()
    await ground.clock.advance(1)
    for (let i = 0; i < 3; i++) await add()
    ground.clock.step(-3 * DAY_MS)
    for (let i = 0; i < 40; i++) await add()
    await ground.clock.advance(4 * DAY_MS)
    await add()
    expect(await targets()).toEqual(names)
  })

  test('[R20] also after a restart with a clock that stands behind', async () => {
    await record({ target: 'before' })
    ground.clock.step(-DAY_MS)
    audit = createAudit(auditStore(ground.db), ground.clock, ground.log)
    await record({ target: 'after' })
    await record({ target: 'last' })
    expect(await targets()).toEqual(['last', 'after', 'before'])
  })

  test('100 at once are 100', async () => {
    await Promise.all(Array.from({ length: 100 }, (_, i) => record({ target: `${i}` })))
    expect(new Set(await targets()).size).toBe(100)
  })

  test('page by page, none twice and none missing, also of one event', async () => {
    for (let i = 0; i < 25; i++) await record({ target: `${i}`, event: i % 5 === 0 ? 'login' : 'logout' })
    const pages = async (event?: AuditEvent) => {
      const seen: (string | undefined)[][] = []
      let before: string | undefined
      do {
        const page = await audit.page({ limit: 10, before, event })
        seen.push(page.events.map(({ target }) => target))
        before = page.next
      } while (before)
      return seen
    }
    const all = Array.from({ length: 25 }, (_, i) => `${24 - i}`)
    expect(await pages()).toEqual([all.slice(0, 10), all.slice(10, 20), all.slice(20)])
    expect(await pages('login')).toEqual([['20', '15', '10', '5', '0']])
    expect((await audit.page({ limit: 25 })).next).toBeUndefined()
  })

  test('a page is 50 long, and never beyond its limit', async () => {
    for (let i = 0; i < auditPageLimit + 5; i++) await record({ target: `${i}` })
    expect((await audit.page({})).events).toHaveLength(50)
    expect((await audit.page({ limit: 100_000 })).events).toHaveLength(auditPageLimit)
  })
})

describe('[S22] the log can be trusted', () => {
  test('nothing changes what a record says, and age removes it', async () => {
    const store = auditStore(ground.db)
    expect(Object.keys(store).toSorted()).toEqual([
      'append',
      'count',
      'kinds',
      'page',
      'removeBefore',
      'trim',
    ])
    await record({ target: 'first' })
    const [row] = await store.page({ limit: 1 })
    await expect(store.append({ ...row!, actor: 'bert' })).rejects.toThrow(/unique/i)
    expect(await store.page({ limit: 5 })).toEqual([row])
    await ground.clock.advance(365 * DAY_MS)
    await expect.poll(targets).toEqual(['first'])
    await ground.clock.advance(DAY_MS)
    await expect.poll(targets).toEqual([])
    await audit.stop()
    expect(ground.clock.pending()).toBe(0)
  })

  test('[R9] a store that fails is logged and stops no call', async () => {
    const other = await aGround()
    const failing = createAudit(auditStore(other.db), other.clock, other.log)
    await failing.record({ event: 'login', by: anna })
    await other.maintenance.close()
    await failing.record({ event: 'login', by: anna, target: 'lost' })
    expect(other.lines.filter(({ audit, event }) => audit || event).slice(1)).toMatchObject([
      { level: 30, audit: { actor: 'anna', target: 'lost' } },
      { level: 50, msg: 'cannot store the audit record', event: 'login' },
    ])
    await other.end()
  })
})
