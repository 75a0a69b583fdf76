import { aGuest } from '@pulse/testkit'
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { hasNats } from '../../testing/nats-server.ts'
import { claim, forge, said, sharingProcesses } from './fixtures-shared-state.ts'

const found = hasNats()
if (!found) console.log('skipped: no NATS')

const limit = { timeout: within(60_000) }

describe.skipIf(!found)('[N 3] the state of several processes', () => {
  const { start } = sharingProcesses()

  test('is in a process that only collects that of its own sources; it only knows that others said something', async () => {
    const [a, b] = [await start('a'), await start('b', 'main', false)]
    await claim(a, 'v')
    await claim(b, 'w')
    a.shared.state.observe(said('of a', 'v'))
    b.shared.state.observe(said('of b', 'w'))
    await expect.poll(a.names, limit).toEqual(expect.arrayContaining(['of a', 'of b']))
    await expect.poll(() => b.shared.heardRecords('v'), limit).toBe(1)
    expect(b.shared.isSaid('v')).toBe(true)
    expect([b.names(), b.shared.isSaid('another')]).toEqual([['of b'], false])
    const before = b.bus.nats.stats().inBytes
    const guests = Array.from({ length: 500 }, (_, n) => aGuest({ source: 'v', vmid: n, name: randomUUID() }))
    a.shared.state.observe({
      ...said('', 'v'),
      records: { guests: new Map(guests.map((one) => [`v:${one.vmid}`, one])) },
    })
    const late = await start('late')
    await expect.poll(() => late.names(), limit).toContain(guests.at(-1)!.name)
    await expect.poll(b.shared.waiting, limit).toBe(0)
    expect(b.bus.nats.stats().inBytes - before).toBeLessThan(8_000)
    expect(b.shared.heardRecords('v')).toBe(500)
    b.shared.disown('w')
    expect([b.names(), b.shared.isSaid('w'), late.names().includes('of b')]).toEqual([[], true, true])
  })

  test('is left alone by a collector that stops, so that others get its sources at once', async () => {
    const a = await start('a', 'main', false)
    for (const source of ['u', 'v']) {
      await claim(a, source)
      a.shared.state.observe(said(`by a ${source}`, source))
    }
    a.shared.disown('u', true)
    a.shared.disown('v')
    expect(a.names()).toEqual(['by a u'])
  })

  test('[N 4] is not said to have anything of a source by a site that does not have it', async () => {
    const [a, b] = [await start('a', 'berlin'), await start('b', 'main', false)]
    await forge(a, 'berlin', 'of main', 'no frame', '1000000')
    await forge(a, 'main', 'also of main', 'no frame', '7')
    await expect.poll(() => b.shared.heardRecords('also of main'), limit).toBe(7)
    expect([b.shared.heardRecords('of main'), b.shared.isSaid('of main')]).toEqual([undefined, false])
  })
})
