import { expect, test } from 'vitest'
import { given } from './fixtures.ts'

/** The time from the limit until an old figure must be marked, including a step of the test. */
const markedWithinMs = 15_000
const aged = (records: readonly { staleSince?: number | undefined }[]) =>
  records.length > 0 && records.every(({ staleSince }) => staleSince !== undefined)
const fresh = (records: readonly { staleSince?: number | undefined }[]) =>
  records.every(({ staleSince }) => staleSince === undefined)

test.concurrent(
  '[R7] a silent cluster is marked within 15 s of its last listing, record by record, and recovers',
  async (context) => {
    const { lab, clock, start, until, isComplete, records, state } = await given(context, {
      nodes: 2,
      guests: 8,
      factor: 30,
    })
    start()
    await until('the whole picture', isComplete, 20)
    expect(fresh([...records('nodes'), ...records('guests'), ...records('storage')])).toBe(true)
    lab.control.addFault({ kind: 'hang' })
    const silentAt = clock.now()
    await until('the mark', () => state().staleSince !== undefined, 40)
    expect(clock.now() - silentAt).toBeLessThanOrEqual(markedWithinMs + 1_000)
    expect(state()).toMatchObject({ health: 'error' })
    for (const record of [...records('nodes'), ...records('guests')]) {
      expect(clock.now() - record.staleSince!).toBeLessThanOrEqual(markedWithinMs + 1_000)
    }
    expect(records('guests').some(({ status, cpu }) => status === 'running' && cpu! > 0)).toBe(true)
    lab.control.clearFaults()
    await until(
      'all is fresh again',
      () => state().health === 'healthy' && fresh([...records('nodes'), ...records('guests')]),
      120,
    )
    expect(state()).not.toHaveProperty('staleSince')
  },
)

test.concurrent(
  '[R7] a storage whose node has long not reported it, and of which the listing says "unknown", is not green',
  async (context) => {
    const { lab, clock, start, until, isComplete, records } = await given(context, {
      nodes: 2,
      guests: 2,
      factor: 60,
    })
    start()
    const [node] = lab.clusters[0]!.nodes
    const local = () => records('storage').find((one) => one.node === node!.name && one.storage === 'local')!
    const other = () => records('storage').find((one) => one.node !== node!.name && one.storage === 'local')!
    await until('the whole picture', () => isComplete() && local()?.active && other()?.active, 20)
    lab.control.addFault({ kind: 'hang', path: `/nodes/${node!.name}/storage` })
    lab.control.patchStorage('local', { node: node!.name, active: false })
    const lostAt = clock.now()
    await until('the mark', () => local().staleSince !== undefined, 160)
    expect(clock.now() - lostAt).toBeLessThanOrEqual(120_000 + markedWithinMs)
    expect(local()).toMatchObject({ status: 'unknown', active: false })
    expect(other()).toMatchObject({ status: 'available', active: true })
    expect(other()).not.toHaveProperty('staleSince')
    lab.control.clearFaults()
    lab.control.patchStorage('local', { node: node!.name, active: null })
    await until('it is well again', () => local().active && local().staleSince === undefined, 200)
  },
)

test.concurrent(
  '[R7] a node that keeps its own report back: its memory has an age, what the listing tells has none',
  async (context) => {
    const { lab, clock, start, until, isComplete, records } = await given(context, {
      nodes: 2,
      guests: 2,
      factor: 60,
    })
    start()
    await until('the whole picture', isComplete, 20)
    const { name } = lab.clusters[0]!.nodes[1]!
    const node = () => records('nodes').find((one) => one.node === name)!
    lab.control.addFault({ kind: 'hang', path: `/nodes/${name}/status` })
    const lostAt = clock.now()
    await until('the mark', () => node().memory?.staleSince !== undefined, 140)
    expect(clock.now() - lostAt).toBeLessThanOrEqual(90_000 + markedWithinMs)
    expect(node()).toMatchObject({ status: 'online', loadAverage: [] })
    expect(node()).not.toHaveProperty('staleSince')
    expect(node().disk).not.toHaveProperty('staleSince')
    lab.control.clearFaults()
    await until('its report', () => node().memory?.staleSince === undefined, 320)
  },
)

test.concurrent(
  '[R7] the guests of a member that is listed as offline are old at once, and fresh when it is back',
  async (context) => {
    const { lab, clock, start, until, isComplete, records } = await given(context, {
      nodes: 3,
      guests: 9,
      factor: 30,
    })
    start()
    await until('the whole picture', isComplete, 20)
    const { name } = lab.clusters[0]!.nodes[2]!
    const there = () => records('guests').filter((guest) => guest.node === name)
    const elsewhere = () => records('guests').filter((guest) => guest.node !== name)
    await lab.control.patchNode(name, { online: false })
    const diedAt = clock.now()
    await until('the mark', () => aged(there()), 40)
    expect(clock.now() - diedAt).toBeLessThanOrEqual(markedWithinMs)
    expect(fresh(elsewhere())).toBe(true)
    await lab.control.patchNode(name, { online: true })
    await until('they are back', () => fresh(there()), 60)
  },
)

test.concurrent(
  '[R7] while nodes list their own guests, the list of one says nothing about those of another',
  async (context) => {
    const { lab, clock, start, until, isComplete, records } = await given(context, {
      nodes: 2,
      guests: 8,
      factor: 60,
    })
    start()
    await until('the whole picture', isComplete, 20)
    lab.control.addFault({ kind: 'broken-json', path: '/cluster/resources' })
    await until('the lists', () => lab.requests({ path: '/nodes/{node}/lxc' }).total >= 2, 120)
    await until('all are fresh', () => fresh(records('guests')), 60)
    const { name } = lab.clusters[0]!.nodes[1]!
    lab.control.addFault({ kind: 'hang', path: `/nodes/${name}/qemu` })
    lab.control.addFault({ kind: 'hang', path: `/nodes/${name}/lxc` })
    const lostAt = clock.now()
    const there = () => records('guests').filter((guest) => guest.node === name)
    await until('the mark', () => aged(there()), 120)
    expect(clock.now() - lostAt).toBeLessThanOrEqual(75_000 + markedWithinMs)
    expect(fresh(records('guests').filter((guest) => guest.node !== name))).toBe(true)
    lab.control.clearFaults()
    await until('they are fresh again', () => fresh(records('guests')), 320)
  },
)
