import { aGuest } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { storeIdOf } from './thing-ids.ts'

const guestOf = (node: string) => aGuest({ id: `main-${node}-100`, node })

test('[M 3.3] the id in alerts leads to the record, also after a migration', () => {
  const live = aLive({ guests: { 'main:100': guestOf('pve1') } })
  const found = (node: string) => storeIdOf(live.store, 'guests', `main-${node}-100`)
  expect([found('pve1'), found('pve2')]).toEqual(['main:100', undefined])
  live.set('guests', { 'main:100': { id: 'main-pve2-100' } })
  expect([found('pve1'), found('pve2')]).toEqual([undefined, 'main:100'])
  live.remove('guests', 'main:100')
  expect(found('pve2')).toBeUndefined()
})

test('[M 3.3] an update of figures reads no record', () => {
  const live = aLive({ guests: { 'main:100': guestOf('pve1') } })
  storeIdOf(live.store, 'guests', 'main-pve1-100')
  live.set('guests', { 'main:100': { cpu: 0.5 } })
  let reads = 0
  const counted = {
    ...live.store,
    get: (...place: Parameters<typeof live.store.get>) => (reads++, live.store.get(...place)),
  }
  // the index belongs to a store, so the counting one has its own
  storeIdOf(counted as typeof live.store, 'guests', 'main-pve1-100')
  const afterFirst = reads
  live.set('guests', { 'main:100': { cpu: 0.6 } })
  storeIdOf(counted as typeof live.store, 'guests', 'main-pve1-100')
  expect([afterFirst, reads]).toEqual([1, 1])
})
