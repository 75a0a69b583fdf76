import { aMeta } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { createState } from '../../state/state.ts'
import { wireOf } from '../../testing/wire.ts'
import { given } from './fixtures.ts'

test('[facts 1.17] the snapshots of each node reach the wire exactly as its guests have them', async (context) => {
  const state = createState(aMeta())
  const wire = wireOf(state)
  const { lab, start, until } = await given(context, {
    nodes: 3,
    guests: 12,
    factor: 120,
    onObserve: (observation) => state.observe(observation),
  })
  const guests = lab.control.guests().filter(({ template, lock }) => !template && lock === undefined)
  guests.forEach(({ vmid }, index) => lab.control.patchGuest(vmid, { snapshots: index % 4 }))
  const wanted = guests
    .flatMap(({ node, vmid }, index) => Array.from({ length: index % 4 }, () => `${node} ${vmid}`))
    .toSorted()
  start()
  const shown = () => {
    const all = wire.records('pveBackups')
    return all.flatMap((one) =>
      one.list === 'guestSnapshots' && guests.some(({ vmid }) => vmid === one.vmid) ? [one] : [],
    )
  }
  await until('as many', () => shown().length >= wanted.length, 60)
  expect(
    shown()
      .map(({ node, vmid }) => `${node} ${vmid}`)
      .toSorted(),
  ).toEqual(wanted)
  const perNode = (nodes: readonly string[]) => Object.groupBy(nodes, (node) => node)
  expect(Object.keys(perNode(shown().map(({ node }) => node))).length).toBeGreaterThan(1)

  for (const { vmid, node } of guests.filter((_, index) => index % 4 > 0)) {
    const own = shown().filter((one) => one.vmid === vmid)
    expect(new Set(own.map(({ name }) => name)).size).toBe(own.length)
    expect(own.every((one) => one.node === node && one.name !== 'current')).toBe(true)
  }
})
