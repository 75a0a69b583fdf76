import { aGuest, aMeta } from '@pulse/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGround, type Ground } from '../auth/fixtures.ts'
import { guestMetadataStore } from '../db/guest-metadata.ts'
import { createState, type State } from '../state/state.ts'
import { type GuestMetadataArea, guestMetadata, maxUnknownLinks } from './metadata.ts'

const customUrl = 'https://wiki.example'
let ground: Ground
let state: State
let links: GuestMetadataArea
beforeAll(async () => {
  ground = await aGround()
  state = createState(aMeta())
  const edges = { state, clock: ground.clock, log: ground.log, onWrite: () => {}, isPending: () => false }
  links = guestMetadata(guestMetadataStore(ground.db), edges)
  await links.start()
})
afterAll(() => ground.end())

const fill = (count: number, prefix: string) =>
  ground.db.transaction(
    Array.from({ length: count }, (_, n) =>
      ground.db.query
        .insertInto('guest_metadata')
        .values({
          guest_key: `${prefix}${n}`,
          wire_id: `${prefix}${n}`,
          custom_url: customUrl,
          updated_at: 1,
        })
        .compile(),
    ),
  )

test('links of unknown guests are limited; links of known guests are not', async () => {
  await fill(maxUnknownLinks - 1, 'id:made-up-')
  await links.put('one-more', { customUrl })
  await expect(links.put('one-too-many', { customUrl })).rejects.toMatchObject({
    code: 'conflict',
    message: `There are ${maxUnknownLinks} links of unknown guests, which is the limit. Remove some of them first.`,
  })
  await links.put('one-more', { customUrl: 'https://other.example' })
  state.observe({
    source: 'c1',
    records: { guests: new Map([['c1:100', aGuest({ id: 'main-node1-100', vmid: 100, source: 'c1' })]]) },
    state: { name: 'main', kind: 'pve', health: 'healthy', lastSeen: 1 },
  })
  await links.put('main-node1-100', { customUrl })
  await links.remove('one-more')
  await links.put('one-too-many', { customUrl })
})

test('twenty thousand imported links are read in pages, and one without the others', async () => {
  await ground.db.query.deleteFrom('guest_metadata').execute()
  await fill(20_000, 'pve-0123456789ab:')
  expect(Object.keys(await links.all())).toHaveLength(20_000)
  expect((await links.get('pve-0123456789ab:19999')).customUrl).toBe(customUrl)
  await expect(links.put('one-more', { customUrl })).rejects.toThrow('There are 20000 guest links')
})

test('a link is found by an index', async () => {
  const own = await aGround('embedded')
  for (const column of ['guest_key', 'wire_id']) {
    const plan = await own.maintenance.run([
      { sql: `EXPLAIN QUERY PLAN SELECT * FROM guest_metadata WHERE ${column} = ?`, parameters: ['a'] },
    ])
    expect(JSON.stringify(plan[0]!.rows)).toContain('USING INDEX')
  }
  await own.end()
})
