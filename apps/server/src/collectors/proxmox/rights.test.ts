import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Need } from '../part.ts'
import { holdingOf, lackingOf, missingOf } from './rights.ts'
import type { Permissions } from './schema.ts'

const guests: Need = {
  path: '/vms',
  rights: ['VM.Audit'],
  called: 'VM.Audit',
  dark: 'guests will not appear',
}
const scale = Number(process.env['PULSE_TEST_SCALE'] ?? 1)
const audit = { 'VM.Audit': 1 }
const here = { 'VM.Audit': 0 }
/** PVE's answer: it lists its own trees with the account's rights. */
const everywhere = (rights: Record<string, unknown>): Permissions =>
  Object.fromEntries(
    ['/', '/access', '/access/groups', '/nodes', '/pool', '/sdn', '/storage', '/vms'].map((path) => [
      path,
      rights,
    ]),
  )

describe('[proxmox-api 1] rights are evaluated as Proxmox does', () => {
  test.each<[string, Permissions, string | undefined]>([
    ['everything below the root', everywhere(audit), undefined],
    ['the tree of guests', { '/vms': audit }, undefined],
    ['strings for numbers', everywhere({ 'VM.Audit': '1' }), undefined],
    ['the root alone, in an answer without trees', { '/': audit }, undefined],
    ['nothing', {}, 'VM.Audit is missing on /vms: guests will not appear'],
    ['the root without propagation', { '/': here }, 'VM.Audit is missing on /vms: guests will not appear'],
    ['the tree without propagation', { '/vms': here }, 'VM.Audit is missing on /vms: guests will not appear'],
    [
      'the root, and NoAccess on the tree',
      { '/': audit, '/access': audit, '/nodes': audit, '/storage': audit },
      'VM.Audit is missing on /vms: guests will not appear',
    ],
    [
      'other rights on the tree replace those of the root',
      { ...everywhere(audit), '/vms': { 'VM.Console': 1 } },
      'VM.Audit only on every pool: elsewhere guests will not appear',
    ],
    [
      'the tree without propagation, below a root that propagates',
      { ...everywhere(audit), '/vms': here },
      undefined,
    ],
    ['one guest', { '/vms/100': audit }, 'VM.Audit only on /vms/100: elsewhere guests will not appear'],
    [
      'a pool and its members',
      { '/pool/web': audit, '/vms/100': here, '/vms/101': here },
      'VM.Audit only on pool web: elsewhere guests will not appear',
    ],
    [
      'a pool, and a guest of its own',
      { '/pool/web': audit, '/vms/100': here, '/vms/200': audit },
      'VM.Audit only on /vms/200, pool web: elsewhere guests will not appear',
    ],
    ['pools as such', { '/pool': audit }, 'VM.Audit only on every pool: elsewhere guests will not appear'],
    [
      'seven guests',
      Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((n) => [`/vms/10${n}`, audit])),
      'VM.Audit only on /vms/101, /vms/102, /vms/103, /vms/104, /vms/105 and 2 more: elsewhere guests will not appear',
    ],
    [
      'everything but a guest that has other rights',
      { ...everywhere(audit), '/vms/100': { 'VM.Console': 1 } },
      'VM.Audit is missing on /vms/100: there guests will not appear',
    ],
    [
      'names that only look alike',
      { '/vmsx': audit, '/poolx': audit },
      'VM.Audit is missing on /vms: guests will not appear',
    ],
    [
      'a right of no object',
      { '/vms': { constructor: 1 } },
      'VM.Audit is missing on /vms: guests will not appear',
    ],
  ])('%s', (_case, granted, expected) => {
    expect(lackingOf(granted, [guests])).toEqual(expected === undefined ? [] : [expected])
  })

  test('what was given for some parts on purpose is no fault of a source that is watched', () => {
    expect(missingOf({ '/vms/100': audit }, [guests])).toEqual([])
    expect(missingOf({ '/vms': here }, [guests])).toHaveLength(1)
  })

  test('a need that is met on its path alone asks for no propagation', () => {
    const members: Need = { ...guests, path: '/', alone: true }
    expect(holdingOf({ '/': here }, members).is).toBe('whole')
    expect(holdingOf({ '/vms': audit }, members).is).toBe('none')
  })
})

interface Entry {
  path: string
  /** undefined is the role NoAccess */
  right: 'VM.Audit' | 'VM.Console' | undefined
  propagate: boolean
}

const paths = ['/', '/vms', '/vms/100', '/vms/101', '/pool', '/pool/web', '/nodes', '/storage']
const someEntries = fc.uniqueArray(
  fc.record<Entry>({
    path: fc.constantFrom(...paths),
    right: fc.constantFrom('VM.Audit', 'VM.Audit', 'VM.Console', undefined),
    propagate: fc.boolean(),
  }),
  { selector: ({ path }) => path, maxLength: 6 },
)

/** An account's rights on a path by Proxmox's rules: from the deepest matching entry and from its pool. */
function rightsAt(
  entries: readonly Entry[],
  path: string,
  members: readonly string[],
): Record<string, number> {
  const above =
    path === '/'
      ? ['/']
      : [
          '/',
          ...path
            .split('/')
            .slice(1)
            .map((_, n, all) => `/${all.slice(0, n + 1).join('/')}`),
        ]
  let rights: Record<string, number> = {}
  for (const ancestor of above) {
    const entry = entries.find((one) => one.path === ancestor && (one.propagate || ancestor === path))
    if (entry) rights = entry.right === undefined ? {} : { [entry.right]: entry.propagate ? 1 : 0 }
  }
  if (!members.includes(path)) return rights
  const ofPool = Object.keys(rightsAt(entries, '/pool/web', []))
  return { ...Object.fromEntries(ofPool.map((right) => [right, 0])), ...rights }
}

/** The rights of a token with privilege separation: those that both user and token have. */
const both = (one: Record<string, number>, other: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(one)
      .filter(([right]) => Object.hasOwn(other, right))
      .map(([right, value]) => [right, Math.min(value, other[right]!)]),
  )

test('[proxmox-api 1] 2,000 access lists with inheritance, propagation, pools and separated tokens', () => {
  const members = fc.subarray(['/vms/100', '/vms/102'])
  fc.assert(
    fc.property(someEntries, someEntries, fc.boolean(), members, (user, token, separated, pool) => {
      const at = (path: string) => {
        const own = rightsAt(user, path, pool)
        return separated ? both(rightsAt(token, path, pool), own) : own
      }
      const listed = new Set(['/', '/access', '/nodes', '/pool', '/storage', '/vms', ...pool])
      for (const { path } of [...user, ...(separated ? token : [])]) listed.add(path)
      const granted = Object.fromEntries(
        [...listed]
          .map((path) => [path, at(path)])
          .filter(([, rights]) => Object.keys(rights as object).length > 0),
      ) as Permissions
      const holding = holdingOf(granted, guests)
      const sees = (vmid: number) => Object.hasOwn(at(`/vms/${vmid}`), 'VM.Audit')
      // A guest without any right on its path is in no answer, so no caller can detect it.
      const isKnown = (vmid: number) => !listed.has(`/vms/${vmid}`) || Object.hasOwn(granted, `/vms/${vmid}`)
      const known = [100, 101, 102, 103].filter(isKnown)
      if (holding.is === 'whole') expect(known.every(sees)).toBe(true)
      // Entries that replace rights on one path only, or that propagate in only one of two lists, are not
      // visible in the answer. The result then claims less.
      const isHidden = separated || user.some(({ right, propagate }) => right !== 'VM.Audit' && !propagate)
      if (holding.is === 'none' && !isHidden) expect(known.some(sees)).toBe(false)
      if (holding.is === 'broken') {
        expect(known.filter((vmid) => !sees(vmid)).map((vmid) => `/vms/${vmid}`)).toEqual(
          holding.not.toSorted(),
        )
      }
      if (holding.is === 'partial') {
        if (!isHidden) expect(sees(103)).toBe(false)
        for (const part of holding.only.filter((one) => one.startsWith('/vms/')))
          expect(Object.hasOwn(at(part), 'VM.Audit')).toBe(true)
      }
    }),
    { numRuns: 2_000 * scale },
  )
})

test('[S13] an answer of endless paths makes no endless warning', () => {
  const paths = Array.from({ length: 20 }, (_, n) => `/vms/${n}${'x'.repeat(50_000)}`)
  const granted: Permissions = Object.fromEntries(paths.map((path) => [path, audit]))
  const [warning] = lackingOf(granted, [guests])
  expect(warning).toContain('and 15 more')
  expect(warning!.length).toBeLessThan(1_000)
})
