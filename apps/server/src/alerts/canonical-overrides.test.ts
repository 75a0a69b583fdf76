import { createEstate } from '@pulse/domain'
import { aGuest, aNode } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { canonicalOverrides } from './canonical-overrides.ts'

const off = { disabled: true }

test('an override of a guest that moved is not that of another cluster whose name begins alike', () => {
  const estate = createEstate()
  const guest = (source: string, instance: string, node: string) =>
    new Map([[`${source}:100`, aGuest({ source, instance, node, id: `${instance}-${node}-100` })]])
  estate.observe('one', {
    guests: guest('one', 'main', 'pve1'),
    nodes: new Map(['pve1', 'pve2'].map((name) => [`one:${name}`, aNode({ source: 'one', name })])),
  })
  estate.observe('two', {
    guests: guest('two', 'main-b', 'pve1'),
    nodes: new Map([['two:pve1', aNode({ source: 'two' })]]),
  })
  expect(canonicalOverrides({ 'main-b-pve1-100': off }, estate.tables)).toEqual({ 'guest:two:100': off })
  expect(canonicalOverrides({ 'main-pve2-100': off }, estate.tables)).toEqual({ 'guest:one:100': off })
})
