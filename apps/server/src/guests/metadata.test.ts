import { aGuest, aMeta, aNode } from '@pulse/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aGround, type Ground } from '../auth/fixtures.ts'
import { guestMetadataStore } from '../db/guest-metadata.ts'
import { createState, type State } from '../state/state.ts'
import { guestMetadata } from './metadata.ts'

const url = 'https://wiki.example'
let ground: Ground
let state: State
let pending: boolean
beforeEach(async () => {
  ground = await aGround()
  state = createState(aMeta())
  pending = false
})
afterEach(() => ground.end())

async function anArea() {
  const area = guestMetadata(guestMetadataStore(ground.db), {
    state,
    clock: ground.clock,
    log: ground.log,
    onWrite: () => {},
    isPending: () => pending,
  })
  await area.start()
  return area
}
const rows = () => ground.db.query.selectFrom('guest_metadata').selectAll().execute()
const keys = async () => (await rows()).map((row) => row.guest_key).toSorted()

/** The row after an import from Pulse 4.x, or after a change while the guest was missing. */
const stored = (
  guestId: string,
  change: { guest_key?: string; custom_url?: string; updated_at?: number } = {},
) =>
  ground.db.query
    .insertInto('guest_metadata')
    .values({ guest_key: `id:${guestId}`, wire_id: guestId, custom_url: url, updated_at: 1, ...change })
    .execute()

/** Shows guest 100 of a connection on this node. */
function seenOn(node: string, source = 'c1', instance = 'main') {
  const id = instance === node ? `${node}-100` : `${instance}-${node}-100`
  const nodes = ['node1', 'node2', instance].map(
    (name) => [`${source}:${name}`, aNode({ name, instance, source })] as const,
  )
  state.observe({
    source,
    records: {
      guests: new Map([[`${source}:100`, aGuest({ id, node, instance, vmid: 100, source })]]),
      nodes: new Map(nodes),
    },
    state: { name: instance, kind: 'pve', health: 'healthy', lastSeen: 1 },
  })
}
const gone = (source = 'c1') => state.forget(source)

describe('[design §4] a link of an unknown guest is bound to the guest once it appears', () => {
  test.each([
    ['with the node it was on', 'main-node1-100'],
    ['with a node that it has left since', 'main-node2-100'],
    ['without the name of the connection', 'node1-100'],
  ])('named %s: it migrates, and the link stays', async (_how, guestId) => {
    await stored(guestId)
    const area = await anArea()
    seenOn('node1')
    await expect.poll(keys).toEqual(['c1:100'])
    seenOn('node2')
    expect(await area.all()).toEqual({ 'main-node2-100': { id: 'main-node2-100', customUrl: url } })
    gone()
    seenOn('node1')
    expect(await area.get('main-node1-100')).toMatchObject({ customUrl: url })
    expect(await area.get(guestId)).toMatchObject({ customUrl: url })
  })

  test('one that is put while the guest is away is taken up too', async () => {
    const area = await anArea()
    await area.put('main-node1-100', { customUrl: url })
    seenOn('node1')
    await expect.poll(keys).toEqual(['c1:100'])
    seenOn('node2')
    expect(await area.get('main-node2-100')).toMatchObject({ customUrl: url })
  })

  test('one that is changed while the guest is away stays where it hangs', async () => {
    const area = await anArea()
    seenOn('node1')
    await area.put('main-node1-100', { customUrl: url })
    gone()
    await area.put('main-node1-100', { customUrl: `${url}/new` })
    expect(await keys()).toEqual(['c1:100'])
  })

  test('an import while everything runs is taken up at once', async () => {
    const area = await anArea()
    seenOn('node1')
    await stored('main-node1-100')
    await area.reload()
    expect(await keys()).toEqual(['c1:100'])
  })

  test('of two for one guest the newer one counts', async () => {
    await stored('main-node1-100', { custom_url: `${url}/older`, updated_at: 1 })
    await stored('main-node2-100', { custom_url: `${url}/newer`, updated_at: 2 })
    const area = await anArea()
    seenOn('node1')
    await expect.poll(keys).toEqual(['c1:100'])
    expect(await area.all()).toEqual({
      'main-node1-100': { id: 'main-node1-100', customUrl: `${url}/newer` },
    })
  })
})

describe('nothing is taken up by mistake', () => {
  test('a former name of several guests waits until every connection has answered, then stays', async () => {
    await stored('node1-100')
    pending = true
    await anArea()
    seenOn('node1')
    seenOn('node1', 'c2', 'other')
    pending = false
    state.setMeta({})
    seenOn('node2')
    seenOn('node1')
    expect(await keys()).toEqual(['id:node1-100'])
  })

  test('a former name of one guest is bound when every connection has answered', async () => {
    await stored('node1-100')
    pending = true
    const area = await anArea()
    seenOn('node1')
    expect(await area.get('node1-100')).toMatchObject({ customUrl: url })
    expect(await keys()).toEqual(['id:node1-100'])
    pending = false
    state.observe({
      source: 'c2',
      records: {},
      state: { name: 'other', kind: 'pve', health: 'healthy', lastSeen: 2 },
    })
    await expect.poll(keys).toEqual(['c1:100'])
  })

  test.each(['main-nowhere-100', 'main-node1-1000', 'other-node1-100', 'main-100', '100', 'main-node1-'])(
    '%s is another guest',
    async (guestId) => {
      await stored(guestId)
      const area = await anArea()
      seenOn('node1')
      await area.put('main-node2-7', { customUrl: url })
      expect(await keys()).toEqual([`id:${guestId}`, 'id:main-node2-7'].toSorted())
    },
  )
})
