import net from 'node:net'
import { expect, test } from 'vitest'
import { given } from './fixtures.ts'

test.concurrent(
  '[facts 6.2.16] every call takes 2.5 s and all nodes share one address: probes are few at a time, and none fails for waiting',
  async (context) => {
    // Pulse expects members at the usual port, where no server listens.
    const { lab, start, until, isComplete, records, pass } = await given(context, {
      nodes: 6,
      guests: 120,
      port: 18_006,
    })
    const collector = start()
    await until('the whole picture', isComplete, 60)
    lab.control.addFault({ kind: 'latency', ms: 125 })
    await pass(10)
    lab.control.resetRequests()
    const before = collector.totals()
    await pass(150)
    const { calls, failed } = collector.totals()
    expect(calls - before.calls).toBeGreaterThan(150)
    // Guest agents that do not run answer with an error.
    expect(failed - before.failed).toBeLessThan(0.1 * (calls - before.calls))
    for (const guest of records('guests')) {
      expect(guest.diskStatusReason, String(guest.vmid)).not.toBe('no-status')
      expect(guest.staleSince).toBeUndefined()
    }
    for (const inFlight of Object.values(lab.requests().maxInFlight)) expect(inFlight).toBeLessThanOrEqual(8)
  },
)

test.concurrent(
  'a host that accepts connections and drops every call is lost once, and found again when it answers',
  async (context) => {
    const { lab, start, until, isComplete, pass, logLines, state } = await given(context, {
      nodes: 1,
      guests: 4,
      factor: 40,
    })
    start()
    await until('the whole picture', isComplete, 30)
    const texts = new Set<string>()
    lab.control.addFault({ kind: 'reset' })
    await until('the loss', () => state().error !== undefined, 60)
    for (let second = 0; second < 240; second += 2) {
      await pass(2)
      texts.add(state().error ?? '')
    }
    expect([...texts]).toHaveLength(1)
    const lines = logLines.filter((line) => /cannot be reached|reached again|does not answer/.test(line))
    expect(lines.length, lines.join('')).toBeLessThanOrEqual(2)
    lab.control.clearFaults()
    await until('it is found', () => state().health === 'healthy' && state().error === undefined, 90)
    await until(
      'the end is reported',
      () => logLines.some((line) => line.includes('all addresses and nodes are reachable again')),
      90,
    )
  },
)

test.concurrent(
  'an address that falls silent in many ways has one text, and none once it is well again',
  async (context) => {
    const { lab, start, until, isComplete, pass, state } = await given(context, {
      nodes: 1,
      guests: 6,
      factor: 40,
    })
    start()
    await until('the whole picture', isComplete, 30)
    const texts = new Set<string>()
    for (const kind of ['hang', 'reset', 'hang', 'reset'] as const) {
      lab.control.clearFaults()
      lab.control.addFault({ kind })
      for (let second = 0; second < 60; second += 2) {
        await pass(2)
        if (state().error !== undefined) texts.add(state().error!)
      }
    }
    expect([...texts]).toHaveLength(1)
    lab.control.clearFaults()
    await until('no text', () => state().error === undefined, 120)
    await pass(30)
    expect(state().error).toBeUndefined()
  },
)

test.concurrent('a node that was switched off leaves no text of its failures', async (context) => {
  const { lab, start, until, isComplete, pass, state, records } = await given(context, {
    nodes: 3,
    guests: 6,
    factor: 40,
  })
  start()
  await until('the whole picture', isComplete, 30)
  const [, ill] = lab.clusters[0]!.nodes
  lab.control.addFault({ kind: 'reset', node: ill!.name })
  await pass(90)
  await lab.control.patchNode(ill!.name, { online: false })
  lab.control.clearFaults()
  await until('it is off', () => records('nodes').some(({ status }) => status === 'offline'), 60)
  await until('no text', () => state().error === undefined, 30)
})

test.concurrent.for([1, 3])(
  '[R7] a source of %i nodes falls silent: that is known within 15 s',
  async (nodes, context) => {
    const { lab, start, until, isComplete, pass, state, clock } = await given(context, { nodes, guests: 6 })
    start()
    await until('the whole picture', isComplete, 30)
    await pass(12)
    lab.control.addFault({ kind: 'hang' })
    const since = clock.monotonic()
    await until('it is shown', () => state().error !== undefined, 16)
    expect(clock.monotonic() - since).toBeLessThan(15_500)
    expect(state().error).toMatch(/no answer/)
  },
)

test.concurrent('a host that accepts and never shows a certificate is lost once', async (context) => {
  const { start, until, pass, logLines, state } = await given(context, { nodes: 1, guests: 1, factor: 40 })
  const sockets: net.Socket[] = []
  const server = net.createServer((socket) => void sockets.push(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  start({ host: `https://127.0.0.1:${(server.address() as net.AddressInfo).port}` })
  await until('the loss', () => state().health === 'error', 30)
  await pass(240)
  const lines = logLines.filter((line) => /cannot be reached|reached again|does not answer/.test(line))
  expect(lines.length, lines.join('')).toBeLessThanOrEqual(2)
})
