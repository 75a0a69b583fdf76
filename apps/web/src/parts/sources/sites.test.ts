import { expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { selectLostSites } from './sites.tsx'
import { selectUnreachableNames, selectUnreachableSources } from './unreachable.ts'

const healthy = { name: 'main', kind: 'pve', health: 'healthy' } as const
const lost = { ...healthy, health: 'unknown', site: 'Rome', siteUnreachableSince: 7, staleSince: 5 } as const

test('a site without word is named once, since the first of its sources, and its sources are not', () => {
  const live = aLive({
    sources: {
      a: lost,
      b: { ...lost, name: 'pbs-vault', kind: 'pbs', siteUnreachableSince: 3 },
      c: { ...lost, name: 'other', site: 'Berlin' },
      d: healthy,
    },
  })
  expect(selectLostSites(live.store)).toEqual([
    { site: 'Berlin', since: 7 },
    { site: 'Rome', since: 3 },
  ])
  expect(selectUnreachableSources(live.store)).toEqual([])
  expect(selectUnreachableNames(live.store)).toEqual(['site Berlin', 'site Rome'])
})

test('the main site has a name here', () => {
  const { site: _site, ...ofMain } = lost
  expect(selectLostSites(aLive({ sources: { a: ofMain } }).store)).toEqual([{ site: 'main', since: 7 }])
})
