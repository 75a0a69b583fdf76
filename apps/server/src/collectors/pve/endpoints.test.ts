import { expect, test } from 'vitest'
import { given } from './fixtures.ts'

const warnings = (lines: readonly string[]) =>
  lines
    .map((line) => JSON.parse(line) as { level: number; msg: string; lost?: string[]; reason?: string })
    .filter(({ level }) => level >= 40)

test.concurrent(
  '[facts 1.4] after a restart that knows the members nothing is lost; an outage then is named at once',
  async (context) => {
    const { lab, start, until, learned, logLines, isComplete, pass, state } = await given(context, {
      nodes: 3,
      guests: 6,
      factor: 40,
    })
    const before = start()
    await until('the members', () => Object.keys(learned.at(-1)?.memberFingerprints ?? {}).length === 3, 30)
    await before.stop()
    const { clusterName, clusterEndpoints, memberFingerprints } = learned.at(-1)!
    logLines.length = 0
    // A call to the node is under way when the node turns out to be the one at the typed address.
    const [first, second] = lab.clusters[0]!.nodes
    lab.control.addFault({ kind: 'latency', ms: 100, path: `/nodes/${first!.name}/*` })
    start({ clusterName: clusterName!, clusterEndpoints, memberFingerprints })
    await until('the whole picture', isComplete, 60)
    lab.control.clearFaults()
    await pass(90)
    expect(warnings(logLines)).toEqual([])
    expect(state().health).toBe('healthy')

    lab.control.addFault({ kind: 'reset', node: second!.name })
    await until('the line about it', () => warnings(logLines).length > 0, 60)
    expect(warnings(logLines)).toMatchObject([{ lost: [expect.stringContaining(second!.address)] }])
  },
)

test.concurrent.for([[[0]], [[1]], [[1, 2]], [[0, 1]], [[0, 1, 2]]] as const)(
  '[facts 1.4] nodes %j of three are off for a while: when they are back the source is healthy, and not degraded first',
  async ([down], context) => {
    const health: string[] = []
    const { lab, start, until, isComplete, pass, state, subscribe } = await given(context, {
      nodes: 3,
      guests: 6,
      factor: 60,
    })
    subscribe(({ sources }) => health.push(...[...(sources?.put.values() ?? [])].map((now) => now.health)))
    start()
    await until('the whole picture', isComplete, 60)
    const names = lab.clusters[0]!.nodes.filter((_, n) => down.some((one) => one === n)).map(
      ({ name }) => name,
    )
    for (const name of names) await lab.control.patchNode(name, { online: false })
    await pass(400)
    health.length = 0
    for (const name of names) await lab.control.patchNode(name, { online: true })
    await until('it is healthy', () => state().health === 'healthy', 20)
    await until('its warning is taken back', () => state().error === undefined, 30)
    await pass(200)
    expect(health).not.toContain('degraded')
    expect(state().health).toBe('healthy')
  },
)

test.concurrent(
  '[facts 1.4] the way to a living member is lost: degraded after a minute, healthy when it is found',
  async (context) => {
    const { lab, start, until, isComplete, pass, state } = await given(context, {
      nodes: 3,
      guests: 6,
      factor: 40,
    })
    start()
    await until('the whole picture', isComplete, 60)
    const member = lab.clusters[0]!.nodes[1]!.name
    lab.control.addFault({ kind: 'reset', node: member })
    await pass(50)
    expect(state().health).toBe('healthy')
    await until('degraded', () => state().health === 'degraded', 120)
    lab.control.clearFaults()
    await until('healthy', () => state().health === 'healthy', 100)
  },
)

test.concurrent(
  'nothing of a cluster answers: what is said of it names no single address, for each of its nodes repeats it',
  async (context) => {
    const { lab, start, until, isComplete, state, logLines } = await given(context, {
      nodes: 3,
      guests: 6,
      factor: 40,
    })
    start()
    await until('the whole picture', isComplete, 60)
    for (const { name } of lab.clusters[0]!.nodes) await lab.control.patchNode(name, { online: false })
    await until('the error', () => state().health === 'error', 60)
    expect(state().error).toBe(
      'none of the 3 addresses of the cluster answers: connection refused; check address and port',
    )
    expect(logLines.find((line) => line.includes('does not answer'))).toContain('none of the 3 addresses')
  },
)

test.concurrent(
  'a node whose own address is lost, and the one that stands in for it too: the reason is its own',
  async (context) => {
    const { lab, start, until, isComplete, state, pass } = await given(context, {
      nodes: 3,
      guests: 6,
      factor: 40,
    })
    start()
    await until('the whole picture', isComplete, 60)
    const [, , third] = lab.clusters[0]!.nodes
    // The cluster reaches the member, but Pulse does not.
    lab.control.addFault({ kind: 'reset', node: third!.name })
    await pass(60)
    lab.control.addFault({ kind: 'reset', path: `/nodes/${third!.name}/*` })
    const ofNode = () => state().unreadable?.find(({ what }) => what === `${third!.name} status`)
    await until('what is said of it', () => ofNode() !== undefined, 900)
    expect(ofNode()!.error).not.toMatch(/pve1|pve2|127\./)
    expect(ofNode()!.error).toContain(third!.name)
  },
)
