import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditStore } from '../db/audit.ts'
import { type Audit, type AuditEntry, createAudit } from './audit.ts'
import { aCaller, aGround, type Ground, HOUR_MS, MINUTE_MS, scale } from './fixtures.ts'

let ground: Ground
let audit: Audit

beforeAll(async () => {
  ground = await aGround()
})
beforeEach(async () => {
  await ground.clear()
  audit = opened()
})
afterAll(() => ground.end())

const bounds = { mostOfKind: 60, slack: 10 }
const opened = () => createAudit(auditStore(ground.db), ground.clock, ground.log, ground.log, bounds)
const events = async (event?: AuditEntry['event']) => (await audit.page({ limit: 200, event })).events
const rowCount = async () => (await ground.db.query.selectFrom('audit').select('id').execute()).length

const guess = (name = 'anna', peer = '198.51.100.1') =>
  audit.record({
    event: 'login_failed',
    success: false,
    by: { name, method: 'none' },
    caller: aCaller({ peer }),
    details: 'the account is locked',
  })
const act = (event: AuditEntry['event'], id: string, target: string, details?: string) =>
  audit.record({ event, by: { id, name: id, method: 'token' }, caller: aCaller(), target, details })

describe('[S22] what one caller does again and again is one record with a count', () => {
  test('from the first to the last time, for ten minutes', async () => {
    for (let n = 0; n < 1000 * scale; n++) await guess()
    await ground.clock.advance(4 * MINUTE_MS)
    await guess()
    expect(await events()).toMatchObject([
      {
        actor: 'anna',
        count: 1000 * scale + 1,
        time: '2026-01-01T12:00:00.000Z',
        lastTime: '2026-01-01T12:04:00.000Z',
      },
    ])
    await ground.clock.advance(6 * MINUTE_MS)
    await guess()
    expect((await events()).map(({ count }) => count)).toEqual([undefined, 1000 * scale + 1])
    expect((await events())[0]).not.toHaveProperty('lastTime')
  })

  test('from one address: another one may be of an attacker', async () => {
    const from = (peer: string) =>
      audit.record({
        event: 'config_exported',
        by: { id: 'user:1', name: 'anna', method: 'session' },
        caller: aCaller({ peer }),
        details: 'users',
      })
    for (const peer of ['192.0.2.7', '203.0.113.9', '192.0.2.7', '203.0.113.9']) await from(peer)
    expect(await events()).toMatchObject([
      { address: '203.0.113.9', count: 2 },
      { address: '192.0.2.7', count: 2 },
    ])
  })

  test('but what an import looks up is written down each time', async () => {
    for (let n = 0; n < 3; n++) await act('user_removed', 'anna', 'ben', 'viewer')
    for (let n = 0; n < 400; n++) await act('token_revoked', 'anna', `token ${n}`)
    expect((await events('user_removed')).map(({ count }) => count)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect((await events('token_revoked')).map(({ target }) => target)).not.toContain('various')
  })

  test.each([HOUR_MS, -HOUR_MS])('[R20] whatever the wall clock does (%d ms)', async (step) => {
    await guess()
    ground.clock.step(step)
    await guess()
    expect(await events()).toMatchObject([{ count: 2 }])
  })

  test('the log has a line for the first, and one for what was counted in five seconds', async () => {
    for (let n = 0; n < 500; n++) await guess()
    await ground.clock.advance(5_000)
    await expect.poll(() => ground.lines.length).toBe(2)
    expect(ground.lines[1]).toMatchObject({ audit: { event: 'login_failed', actor: 'anna', times: 500 } })
  })

  test('the count is there after a stop and a restart', async () => {
    for (let n = 0; n < 7; n++) await guess()
    await audit.stop()
    await ground.reopen()
    audit = opened()
    expect(await events()).toMatchObject([{ count: 7 }])
    await guess()
    expect(await rowCount()).toBe(2)
  })

  test('different deeds, targets and callers stay apart', async () => {
    await act('settings_changed', 'user:1', 'system', 'logLevel')
    await act('settings_changed', 'user:1', 'system', 'theme')
    await act('settings_changed', 'user:2', 'system', 'theme')
    await act('node_removed', 'user:1', 'pve1')
    await act('node_removed', 'user:1', 'pve2')
    await guess('anna', '198.51.100.1')
    await guess('bert', '198.51.100.1')
    await guess('anna', '198.51.100.2')
    expect(await rowCount()).toBe(8)
  })
})

describe('[S22] what was refused for different reasons stays apart', () => {
  const refuse = (details: string) =>
    audit.record({
      event: 'node_changed',
      success: false,
      by: { id: 'user:1', name: 'anna', method: 'session' },
      caller: aCaller(),
      target: 'pve1',
      details,
    })

  test('two hosts that a stored secret was to go to are two records, the same one is counted', async () => {
    await refuse('host: pve1.lan → evil.example; refused')
    await refuse('host: pve1.lan → other.example; refused')
    await refuse('host: pve1.lan → evil.example; refused')
    expect(await events()).toMatchObject([
      { details: 'host: pve1.lan → other.example; refused' },
      { details: 'host: pve1.lan → evil.example; refused', count: 2 },
    ])
  })

  test('a thousand reasons are twenty records, and one for the rest, which says so', async () => {
    for (let n = 0; n < 1000; n++) await refuse(`host ${n}`)
    await refuse('host 0')
    const all = await events()
    expect(all).toHaveLength(21)
    expect(all[0]).toMatchObject({ target: 'pve1', details: 'various reasons', count: 980 })
    expect(all.at(-1)).toMatchObject({ details: 'host 0', count: 2 })
  })
})

describe('[S22] no caller makes the table grow without a bound', () => {
  test('a stranger who tries 10,000 names from one address: six records in ten minutes', async () => {
    for (let n = 0; n < 1000 * scale; n++) await guess(`name ${n}`)
    expect(await events()).toMatchObject([
      { actor: 'various names', count: 1000 * scale - 5 },
      ...[4, 3, 2, 1, 0].map((n) => ({ actor: `name ${n}` })),
    ])
  })

  test('a token that changes a thousand links: 300 records in ten minutes, and one for the rest', async () => {
    audit = createAudit(auditStore(ground.db), ground.clock, ground.log)
    for (let n = 0; n < 1000; n++) await act('guest_link_changed', 'token:1', `guest ${n}`)
    await audit.stop()
    expect(await rowCount()).toBe(301)
    expect((await events())[0]).toMatchObject({ target: 'various', count: 700 })
  })

  test('a flood from many addresses pushes out its own kind alone', async () => {
    await act('user_added', 'user:1', 'zoe')
    await act('login', 'user:1', 'web')
    for (let n = 0; n < 300 * scale; n++) await guess('anna', `10.${n >> 8}.${n & 255}.1`)
    expect((await events('login_failed')).length).toBeLessThanOrEqual(bounds.mostOfKind + bounds.slack)
    expect(await events('user_added')).toHaveLength(1)
    expect(await events('login')).toHaveLength(1)
  })

  test('a flood by one caller does not push out what others did, of the same kind neither', async () => {
    for (let n = 0; n < 25; n++) await act('guest_link_changed', `user:${n}`, 'a link')
    for (let n = 0; n < 200 * scale; n++) {
      await act('guest_link_changed', 'token:flood', `guest ${n}`)
      if (n % 100 === 0) await ground.clock.advance(10 * MINUTE_MS)
    }
    const all = await events('guest_link_changed')
    expect(all.filter(({ actor }) => actor !== 'token:flood')).toHaveLength(25)
    expect(all.length).toBeLessThanOrEqual(bounds.mostOfKind + bounds.slack)
  })

  test('what an earlier version has left is brought down at the start', async () => {
    for (let n = 0; n < 65; n++) await act('node_added', 'user:1', `node ${n}`)
    await ground.maintenance.run([
      { sql: "UPDATE audit SET event = 'node_changed', caller = ''", parameters: [] },
    ])
    await audit.stop()
    audit = opened()
    await expect.poll(rowCount).toBe(bounds.mostOfKind)
  })
})

test('[R9] a record that could not be stored is written again when it comes again', async () => {
  const store = auditStore(ground.db)
  let isFull = true
  const append: typeof store.append = (row) =>
    isFull ? Promise.reject(new Error('disk full')) : store.append(row)
  audit = createAudit({ ...store, append }, ground.clock, ground.log)
  await guess()
  await guess()
  isFull = false
  await guess()
  await guess()
  expect(await events()).toMatchObject([{ count: 2 }])
})

test('[R9] a count that could not be stored is stored when the disk accepts it again, also at the stop', async () => {
  const store = auditStore(ground.db)
  let refusals = 0
  let isFull = true
  const count: typeof store.count = (rows) => {
    if (!isFull) return store.count(rows)
    refusals++
    return Promise.reject(new Error('disk full'))
  }
  const stored = () => ground.db.query.selectFrom('audit').select('times').execute()
  audit = createAudit({ ...store, count }, ground.clock, ground.log)
  for (let n = 0; n < 3; n++) await guess()
  await expect.poll(async () => (await ground.clock.advance(5_000), refusals)).toBeGreaterThan(1)
  const complaints = ground.lines.filter(({ msg }) => msg === 'cannot store the counts of audit records')
  expect(complaints).toHaveLength(1)
  isFull = false
  await expect.poll(async () => (await ground.clock.advance(5_000), stored())).toEqual([{ times: 3 }])
  isFull = true
  await guess()
  expect(await events()).toMatchObject([{ count: 3 }])
  isFull = false
  await audit.stop()
  expect(await stored()).toEqual([{ times: 4 }])
})
