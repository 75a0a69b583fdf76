import { createEstate, overrideOf } from '@pulse/domain'
import { aGuest, aNode, aStorage } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { canonicalOverrides, documentedOverrides, unmatchedOverrides } from './canonical-overrides.ts'

const off = { disabled: true }

test('the override of a migrated guest is not that of another cluster with a common name prefix', () => {
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

/** A guest and a storage that two nodes share, known under several names. */
function anEstate() {
  const estate = createEstate()
  estate.observe('one', {
    guests: new Map([
      ['one:100', aGuest({ source: 'one', instance: 'main', node: 'pve1', id: 'main-pve1-100' })],
    ]),
    nodes: new Map(['pve1', 'pve2'].map((name) => [`one:${name}`, aNode({ source: 'one', name })])),
    storage: new Map([
      [
        'one:backup',
        aStorage({
          source: 'one',
          instance: 'main',
          node: 'pve1',
          nodes: ['pve1', 'pve2'],
          name: 'backup',
          id: 'main-backup',
          shared: true,
        }),
      ],
    ]),
  })
  return estate.tables
}
const at = (trigger: number) => ({ cpu: { trigger, clear: trigger - 5 } })

describe('[facts/alerts 12.7] two names of one resource are one override, and the last write counts', () => {
  const [own, documented] = ['guest:one:100', 'main-pve1-100']
  const stored = { [own]: at(80) }

  test.each([
    { when: 'a client of 4.x changes it', given: { [documented]: at(60) }, expected: at(60) },
    {
      when: 'a client sends both, and changes the documented one',
      given: { [own]: at(80), [documented]: at(60) },
      expected: at(60),
    },
    {
      when: 'a client sends both, and changes our own',
      given: { [documented]: at(80), [own]: at(70) },
      expected: at(70),
    },
    { when: 'a client changes both', given: { [own]: at(70), [documented]: at(60) }, expected: at(60) },
    {
      when: 'a client sends both unchanged',
      given: { [documented]: at(80), [own]: at(80) },
      expected: at(80),
    },
  ])('$when', ({ given, expected }) => {
    expect(canonicalOverrides(given, anEstate(), stored)).toEqual({ [own]: expected })
  })

  test('a client of 4.x that leaves it out removes it', () => {
    expect(canonicalOverrides({}, anEstate(), stored)).toEqual({})
  })

  test('clients of 4.x read it under the documented name; unknown resources keep their key', () => {
    const given = { [own]: at(80), 'guest:one:999': at(50), 'main-pve9-1': at(40) }
    expect(documentedOverrides(given, anEstate())).toEqual({
      [documented]: at(80),
      'guest:one:999': at(50),
      'main-pve9-1': at(40),
    })
  })
})

test.each(['main-backup', 'main-pve1-backup', 'main-pve2-backup'])(
  'an override of a shared storage is found under %s: 4.x keys it by its first node',
  (name) => {
    const off = { disabled: true }
    expect(canonicalOverrides({ [name]: off }, anEstate())).toEqual({ 'storage:one:backup': off })
    expect(
      unmatchedOverrides({ [name]: off, 'main-pve3-backup': off, 'guest:one:7': off }, anEstate()),
    ).toEqual(['main-pve3-backup', 'guest:one:7'])
  },
)

test('of two stored names, for instance after an import, the one that the rules use counts', () => {
  const names = {
    'main-pve1-backup': { disabled: true },
    'main-pve2-backup': { usage: { trigger: 60, clear: 55 } },
  }
  const imported = [names, { ...names, 'storage:one:backup': { usage: { trigger: 70, clear: 65 } } }]
  for (const overrides of imported) {
    const tables = anEstate()
    const record = tables.storage.get('one:backup')!
    const judged = overrideOf(overrides, 'storage', 'one:backup', record)!.override
    expect(canonicalOverrides(overrides, tables)).toEqual({ 'storage:one:backup': judged })
    expect(canonicalOverrides(overrides, tables, overrides)).toEqual({ 'storage:one:backup': judged })
  }
})
