import type { Frame } from '@pulse/domain'
import { aGuest } from '@pulse/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { hasNats } from '../../testing/nats-server.ts'
import { claim, forge, said, sharingProcesses } from './fixtures-shared-state.ts'
import { encodeFrame } from './frame-codec.ts'

const found = hasNats()
if (!found) console.log('skipped: no NATS')

const limit = { timeout: within(60_000) }

describe.skipIf(!found)('[N 3] the state of several processes', () => {
  /** the site of a source; undefined: not known yet */
  let sites: (source: string) => string | undefined
  const { start, server } = sharingProcesses((source) => sites(source))
  beforeEach(() => {
    sites = () => 'main'
  })

  test('is the same in all of them, whichever collects a source', async () => {
    const [a, b] = [await start('a'), await start('b')]
    await claim(a, 's')
    await claim(b, 't')
    a.shared.state.observe(said('web'))
    b.shared.state.observe(said('mail', 't'))
    for (const one of [a, b]) await expect.poll(one.names, limit).toEqual(['mail', 'web'])
    const late = await start('late')
    expect(late.names()).toEqual(['mail', 'web'])
    expect([a, b, late].flatMap(({ faults }) => faults)).toEqual([])
  })

  test('has the age of records whose source does not answer since its connection was changed', async () => {
    const [one, other] = [await start('one'), await start('other')]
    await claim(one, 'old')
    one.shared.state.observe(said('a', 'old'))
    await expect.poll(other.names, limit).toContain('a')
    const { state: before } = said('a', 'old')
    const { lastSeen: _, ...changed } = { ...before, health: 'unknown' as const }
    // each process reads the changed connection again
    for (const { shared } of [one, other])
      shared.state.observe({ source: 'old', records: {}, state: changed })
    const error = 'connection refused'
    one.shared.state.observe({ source: 'old', records: {}, state: { ...changed, health: 'error', error } })
    const late = await start('late')
    for (const { shared } of [one, other, late]) {
      const { sources, guests } = shared.state.tables
      await expect
        .poll(() => sources.get('old'), limit)
        .toMatchObject({ health: 'error', error, lastSeen: 1 })
      expect(guests.get('old:1')).toMatchObject({ name: 'a', staleSince: 1 })
    }
  })

  test('goes on when another process takes over the source of one that was killed', async () => {
    const [a, b, c] = [await start('a'), await start('b'), await start('c')]
    await claim(a, 'u')
    a.shared.state.observe(said('by a', 'u'))
    await expect.poll(() => c.names().includes('by a'), limit).toBe(true)
    await a.kill()
    await expect.poll(() => claim(b, 'u'), limit).toBeDefined()
    b.shared.state.observe(said('by b', 'u'))
    await expect.poll(() => c.names().includes('by b'), limit).toBe(true)
    expect(c.names()).not.toContain('by a')
  })

  test('[N 3] goes on when a process has lost the lease of a source and claims it again', async () => {
    const [a, b] = [await start('a'), await start('b')]
    const first = await claim(a, 'w')
    for (let n = 1; n <= 5; n++) {
      a.shared.state.observe(said(`before ${n}`, 'w'))
      await expect.poll(b.names, limit).toContain(`before ${n}`)
    }
    a.shared.disown('w')
    await first!.release()
    expect(await claim(a, 'w')).toBeDefined()
    a.shared.state.observe(said('after', 'w'))
    await expect.poll(b.names, limit).toContain('after')
    expect([a, b].flatMap(({ faults }) => faults)).toEqual([])
  })

  test('[N 3] of a source that this process has taken over hears nothing more of its former holder', async () => {
    const [a, b] = [await start('a'), await start('b')]
    const fence = (n: number) => `000000000000001.000000000000000${n}`
    b.shared.own('taken', fence(7))
    for (const source of ['taken', 'other']) {
      a.shared.own(source, fence(6))
      a.shared.state.observe(said(`late ${source}`, source))
    }
    await expect.poll(b.names, limit).toContain('late other')
    expect(b.names()).not.toContain('late taken')
  })

  test('keeps of the process that led before what the next one adopts, until it says more', async () => {
    // no connections
    sites = () => undefined
    const [a, b, c] = [await start('a'), await start('b'), await start('c')]
    a.shared.lead('000000000000001.0000000000000001')
    for (const source of ['w', 'x']) a.shared.ledState.observe(said(`${source} by a`, source))
    await expect.poll(b.names, limit).toEqual(expect.arrayContaining(['w by a', 'x by a']))
    await a.kill()
    const healthOf = ({ shared }: typeof b, source: string) => shared.state.tables.sources.get(source)?.health
    expect(healthOf(b, 'w')).toBe('healthy')
    b.shared.lead('000000000000001.0000000000000002')
    // a may have known more than it could send, so nothing is concluded from it
    expect(healthOf(b, 'w')).toBe('unknown')
    expect([b.shared.ledState.adopt('w'), b.shared.ledState.adopt('never said')]).toEqual([true, false])
    b.shared.forgetUnled()
    await expect.poll(() => c.names().includes('x by a'), limit).toBe(false)
    for (const one of [b, c]) expect(one.names()).toContain('w by a')
    b.shared.ledState.observe(said('w by b', 'w'))
    await expect.poll(() => c.names().includes('w by b'), limit).toBe(true)
    expect(b.shared.ledState.adopt('w')).toBe(false)
    expect(healthOf(b, 'w')).toBe('healthy')
  })

  test('hears nothing more from the process that led before', async () => {
    sites = () => undefined
    const [a, b, c] = [await start('a'), await start('b'), await start('c')]
    a.shared.lead('000000000000001.0000000000000001')
    a.shared.ledState.observe(said('u by a', 'u'))
    await expect.poll(b.names, limit).toContain('u by a')
    b.shared.lead('000000000000001.0000000000000002')
    b.shared.ledState.adopt('u')
    // it does not know yet that another one leads
    a.shared.ledState.observe(said('u by a, late', 'u'))
    await expect.poll(c.names, limit).toContain('u by a, late')
    b.shared.ledState.observe(said('v by b', 'v'))
    await expect.poll(c.names, limit).toContain('v by b')
    expect(b.names()).not.toContain('u by a, late')
    expect(b.shared.state.tables.sources.get('u')?.health).toBe('unknown')
  })

  test('[N 4] takes nothing of a source from another site than its own, and what it missed when it knows the source', async () => {
    sites = (source) => (source === 'y' ? 'berlin' : undefined)
    const [a, b] = [await start('a'), await start('b')]
    for (const source of ['y', 'z']) {
      await claim(a, source)
      a.shared.state.observe(said(`${source} from main`, source))
    }
    await expect.poll(() => b.faults, limit).toEqual(['the source belongs to another site'])
    sites = () => 'main'
    expect(b.names()).not.toContain('z from main')
    b.shared.known('z', 'main')
    await expect.poll(b.names, limit).toContain('z from main')
    expect(b.names()).not.toContain('y from main')
  })

  test('[N 4] takes no records of another source from the holder of one', async () => {
    const [a, b] = [await start('a'), await start('b')]
    await claim(a, 'p')
    await claim(b, 'q')
    b.shared.state.observe(said('true', 'q'))
    await expect.poll(a.names, limit).toContain('true')
    const forged = { ...said('forged', 'p'), records: said('forged', 'q').records }
    a.shared.state.observe(forged)
    await expect.poll(() => b.faults, limit).toContain('a record of guests belongs to another source')
    expect(b.names()).not.toContain('forged')
  })

  test('[N 4] has of a site no malformed records, no other name of its connection, and no silence but the one that is seen here', async () => {
    sites = (source) => (source === 'o' ? 'berlin' : 'main')
    const [a, b] = [await start('a', 'berlin'), await start('b')]
    a.shared.own('o', '000000000000001.0000000000000001')
    const evil = JSON.parse('{"toString":1,"valueOf":1}') as number
    const aRecord = (vmid: number, change = {}) =>
      [`o:${vmid}`, aGuest({ source: 'o', instance: 'o', vmid, ...change })] as const
    a.shared.state.observe({
      source: 'o',
      records: { guests: new Map([aRecord(1, { name: 'well' }), aRecord(2, { cpu: evil })]) },
      state: {
        name: 'another',
        kind: 'pmg',
        health: 'healthy',
        lastSeen: 1,
        siteUnreachableSince: 1,
        staleSince: 1,
      },
    })
    await expect.poll(b.names, limit).toContain('well')
    expect(b.shared.state.tables.sources.get('o')).toEqual({
      name: 'o',
      kind: 'pve',
      site: 'berlin',
      health: 'healthy',
      lastSeen: 1,
    })
    expect(b.faults).toContain('a record of guests has not the form of its kind')
  })

  test('[N 4] of a source that is not known, nothing is unpacked', async () => {
    sites = (source) => (source === 'n' ? 'main' : undefined)
    const [a, b] = [await start('a'), await start('b')]
    await forge(a, 'berlin', 'made up', 'no frame')
    await claim(a, 'n')
    a.shared.state.observe(said('after it', 'n'))
    await expect.poll(b.names, limit).toContain('after it')
    expect(b.faults).toEqual([])
  })

  test('[N 4] takes no message of another site for one of its own, although it holds the source', async () => {
    sites = (source) => (source === 'held' ? 'main' : undefined)
    const [a, b] = [await start('a', 'berlin'), await start('b')]
    b.shared.own('held', '000000000000001.0000000000000007')
    await forge(a, 'berlin', 'held', 'no frame')
    await expect.poll(() => b.faults, limit).toContain('the source belongs to another site')
  })

  test('[N 4] is bounded of a site whose bases never become complete, and has a base of it that fits', async () => {
    sites = (source) => (source === 'g' ? 'berlin' : 'main')
    const [a, b] = [await start('a', 'berlin'), await start('b', 'main', true, { records: 4, bytes: 1e6 })]
    const shown = () =>
      [...b.shared.state.tables.guests.values()]
        .filter(({ source }) => source === 'g')
        .map(({ vmid }) => vmid)
    let most = 0
    b.shared.state.subscribe(() => void (most = Math.max(most, shown().length)))
    const base = (n: number, more: Partial<Frame> = {}): Frame => ({
      source: 'g',
      run: `r.${n}`,
      sequence: 1,
      begins: true,
      records: {
        guests: {
          put: [2 * n, 2 * n + 1].map((vmid) => [`g:${vmid}`, aGuest({ source: 'g', instance: 'g', vmid })]),
          remove: [],
        },
      },
      ...more,
    })
    for (let n = 1; n <= 10; n++) await forge(a, 'berlin', 'g', encodeFrame(base(n))[0]!)
    await forge(a, 'berlin', 'g', encodeFrame(base(11, { completes: true }))[0]!)
    await expect.poll(shown, limit).toEqual([22, 23])
    expect(b.faults).toContain('a source has too many records')
    // one frame more than the bound
    expect(most).toBeLessThanOrEqual(6)
  })

  test('is the newest one after the server was away, and stays as it was meanwhile', async () => {
    const [a, b] = [await start('a'), await start('b')]
    await claim(a, 'v')
    a.shared.state.observe(said('before', 'v'))
    await expect.poll(() => b.names().includes('before'), limit).toBe(true)
    await server.halt()
    a.shared.state.observe(said('meanwhile', 'v'))
    expect([a.names().includes('meanwhile'), b.names().includes('before')]).toEqual([true, true])
    await server.rise()
    await expect.poll(() => b.names().includes('meanwhile'), limit).toBe(true)
  })
})
