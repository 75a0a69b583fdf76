import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PveGuest, PveGuestStatus, PveNodeStatus, PveResource, readList, readLooseList } from './schema.ts'

const guest = (fields: object) => PveGuest.safeParse({ vmid: 100, type: 'qemu', node: 'pve1', ...fields })

test.each([
  [5, 5],
  ['5', 5],
  [' 1.5 ', 1.5],
  ['', undefined],
  ['N/A', undefined],
  [null, undefined],
  [undefined, undefined],
  [true, 1],
  [Infinity, undefined],
  [2 ** 60, Number.MAX_SAFE_INTEGER],
  [{}, undefined],
])('[facts 1.1] a number may arrive as %j: %s', (raw, expected) => {
  expect(guest({ maxcpu: raw }).data?.maxcpu).toBe(expected)
})

test('[proxmox-api 0] vmids may be strings; what is no vmid or node is refused', () => {
  expect(guest({ vmid: '106' }).data?.vmid).toBe(106)
  for (const vmid of ['', '1e3x', 1.5, 0, -1, null, {}])
    expect(guest({ vmid }).success, String(vmid)).toBe(false)
  for (const node of ['', '../..', 'a/b', 'a b', 5, '__proto__'])
    expect(guest({ node }).success, String(node)).toBe(false)
})

test.each([
  [1, true],
  ['1', true],
  [true, true],
  [0, false],
  ['0', false],
  [undefined, undefined],
  [{ enabled: 1, available: 0 }, true],
  [{ enabled: 0 }, false],
  [{ available: 1 }, false],
])('[facts 6.2.10] agent: %j means %s', (agent, expected) => {
  const raw = agent === undefined ? {} : { agent }
  expect(PveGuestStatus.parse(raw).agent).toBe(expected)
})

test('[facts 1.1] the load average is a list of strings', () => {
  expect(PveNodeStatus.parse({ loadavg: ['0.15', 0.2, 'x'] }).loadavg).toEqual([0.15, 0.2])
  expect(PveNodeStatus.parse({ loadavg: 'x' }).loadavg).toEqual([])
})

test('an entry that cannot be understood does not cost the others; unknown types are nothing', () => {
  const lines = [
    { type: 'qemu', vmid: 1, node: 'a' },
    { type: 'pool' },
    null,
    5,
    { type: 'lxc', vmid: 'x', node: 'a' },
  ]
  expect(readList(PveGuest, lines, '/x')).toHaveLength(1)
})

test('a list that is no list is a bad answer, except where PVE does that', () => {
  expect(() => readList(PveResource, null, '/cluster/resources')).toThrow(
    '/cluster/resources: the answer is not a list',
  )
  expect(readLooseList(PveResource, null)).toEqual([])
})

test('[S13] no hostile value makes reading throw', () => {
  fc.assert(
    fc.property(fc.array(fc.anything({ withNullPrototype: true, maxDepth: 3 })), (values) => {
      readList(PveResource, values, '/x')
      readList(PveGuest, values, '/x')
      readLooseList(PveGuestStatus, values)
    }),
    { numRuns: 200 },
  )
})
