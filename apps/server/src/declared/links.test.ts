import { aGuest, aMeta } from '@pulse/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aGround, type Ground } from '../auth/fixtures.ts'
import { guestMetadataStore } from '../db/guest-metadata.ts'
import { guestMetadata } from '../guests/metadata.ts'
import { createState, type State } from '../state/state.ts'
import { applyLinks } from './index.ts'
import { linkLocks } from './locks.ts'

const url = 'https://wiki.example'
let ground: Ground
let state: State
beforeEach(async () => {
  ground = await aGround()
  state = createState(aMeta())
})
afterEach(() => ground.end())

/** Shows guest 101 of connection c1 on this node. */
const seenOn = (node: string) =>
  state.observe({
    source: 'c1',
    records: { guests: new Map([['c1:101', aGuest({ id: `main-${node}-101`, node, vmid: 101 })]]) },
    state: { name: 'main', kind: 'pve', health: 'healthy', lastSeen: 1 },
  })

function links() {
  const urls = new Map([['main-node1-101', url]])
  const locks = linkLocks(urls, 'pulse.yaml')
  const metadata = locks.around(
    guestMetadata(guestMetadataStore(ground.db), {
      state,
      clock: ground.clock,
      log: ground.log,
      onWrite: () => {},
      isPending: () => false,
    }),
  )
  return { metadata, apply: () => applyLinks(urls, metadata, locks) }
}

test('[design §4] a declared link hangs on the guest once it is seen, and moves with it', async () => {
  const { metadata, apply } = links()
  await metadata.start()
  await apply()
  expect(await metadata.all()).toEqual({ 'main-node1-101': { id: 'main-node1-101', customUrl: url } })
  seenOn('node1')
  await expect
    .poll(() => ground.db.query.selectFrom('guest_metadata').select('guest_key').execute())
    .toEqual([{ guest_key: 'c1:101' }])
  seenOn('node2')
  expect(await metadata.all()).toEqual({ 'main-node2-101': { id: 'main-node2-101', customUrl: url } })
  await expect(metadata.remove('main-node2-101')).rejects.toThrow('pulse.yaml')
})

test('it is locked under every name of the guest; others are not', async () => {
  const { metadata, apply } = links()
  seenOn('node1')
  await apply()
  for (const id of ['main-node1-101', 'node1-101']) {
    await expect(metadata.put(id, { customUrl: '' }), id).rejects.toMatchObject({
      code: 'locked_by_environment',
    })
    await expect(metadata.remove(id), id).rejects.toThrow('pulse.yaml')
  }
  expect(await metadata.put('main-node1-102', { customUrl: url })).toMatchObject({ customUrl: url })
})
