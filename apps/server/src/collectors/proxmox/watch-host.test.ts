import { monitorFlags } from '@pulse/contract'
import { expect, test } from 'vitest'
import { givenHosts, password, stateOf, token } from './fixtures.ts'

test.concurrent.for([
  ['pbs', 'token'],
  ['pbs', 'password'],
  ['pmg', 'password'],
] as const)(
  '[facts 2.1, 2.4] %s by %s: its health in the state, every half minute',
  async ([kind, by], context) => {
    const { lab, start, until, pass } = await givenHosts(context, { factor: 40 })
    const { monitor } = lab.pbs[0]!.credentials
    const change =
      kind === 'pbs' && by === 'password' ? { auth: password(monitor.user, monitor.password) } : {}
    const watched = start(kind, { ...change, flags: monitorFlags[kind] })
    await until('health', () => stateOf(watched).health === 'healthy', 20)
    const { lastSeen } = stateOf(watched)
    expect(stateOf(watched)).toMatchObject({ name: `${kind}-main`, kind, lastSeen: expect.any(Number) })
    expect(watched.seen.at(-1)!.records[kind]!.get('c1')).toMatchObject({ name: 'main', status: 'online' })
    await until('another look', () => stateOf(watched).lastSeen !== lastSeen, 40)
    expect(stateOf(watched).lastSeen! - lastSeen!).toBeGreaterThan(25_000)
    await pass(60)
    expect(watched.running.totals().cycles).toBeGreaterThanOrEqual(3)
    expect(watched.running.calls()).toMatchObject({ name: 'main', deferredCalls: 0 })
    const { listCallsPerMinute, budget } = watched.running.calls()
    expect(listCallsPerMinute).toBeLessThanOrEqual(budget.listCallsPerMinute)
    expect(lab.requests({ path: '/access/ticket' }).total).toBe(by === 'password' ? 1 : 0)
  },
)

test.concurrent.for(['pbs', 'pmg'] as const)(
  '[facts 1.3] %s goes and comes back: one blip is none, an outage is logged once, calls get rare',
  async (kind, context) => {
    const { lab, start, until, pass, logLines } = await givenHosts(context, { factor: 40 })
    const { name } = lab[kind][0]!
    const watched = start(kind)
    await until('health', () => stateOf(watched).health === 'healthy', 20)
    lab.control.addFault({ kind: 'status', status: 503, path: '/version', node: name, times: 1 })
    watched.running.refresh()
    await until('the blip', () => stateOf(watched).error !== undefined, 20)
    expect(stateOf(watched)).toMatchObject({ health: 'healthy', error: expect.stringMatching(/overloaded/) })
    await until('its end', () => stateOf(watched).error === undefined, 20)

    const { lastSeen } = stateOf(watched)
    await lab.control.patchAppliance(name, { online: false })
    await until('the outage', () => stateOf(watched).health === 'error', 90)
    expect(stateOf(watched)).toMatchObject({ error: expect.stringMatching(/refused/) })
    expect(stateOf(watched).lastSeen).toBeGreaterThanOrEqual(lastSeen!)
    const failed = watched.running.totals().failed
    await pass(120)
    expect(watched.running.totals().failed - failed).toBeLessThanOrEqual(5)
    expect(logLines.filter((line) => line.includes('source does not answer'))).toHaveLength(1)

    await lab.control.patchAppliance(name, { online: true })
    await until('recovery', () => stateOf(watched).health === 'healthy', 320)
    expect(stateOf(watched)).not.toHaveProperty('error')
    expect(logLines.filter((line) => line.includes('source is healthy again'))).toHaveLength(1)
  },
)

test.concurrent('[facts 1.3] a revoked token is reported at once, and not retried fast', async (context) => {
  const { lab, start, until, pass } = await givenHosts(context, { factor: 40 })
  const watched = start('pbs')
  await until('health', () => stateOf(watched).health === 'healthy', 20)
  const { tokenId } = lab.pbs[0]!.credentials
  await lab.control.patchAppliance('pbs1', { tokens: { [tokenId]: { enabled: false } } })
  await until('the error', () => stateOf(watched).health === 'error', 45)
  expect(stateOf(watched).error).toMatch(/credentials were not accepted \(401 authentication failed/)
  // Calls under way during the first refusal are refused as well.
  await pass(5)
  lab.control.resetRequests()
  await pass(120)
  expect(lab.requests({ node: 'pbs1' }).total).toBeLessThanOrEqual(4)
  await lab.control.reset()
  await until('recovery', () => stateOf(watched).health === 'healthy', 320)
})

test.concurrent.for(['pbs', 'pmg'] as const)(
  '[proxmox-api 1.1] %s: a ticket that ended early is renewed within the same cycle',
  async (kind, context) => {
    let aheadMs = 0
    const startMs = Date.now()
    const { lab, start, until } = await givenHosts(context, { factor: 40, now: () => startMs + aheadMs })
    const { monitor } = lab.pbs[0]!.credentials
    const change = kind === 'pbs' ? { auth: password(monitor.user, monitor.password) } : {}
    const watched = start(kind, change)
    await until('health', () => stateOf(watched).health === 'healthy', 20)
    aheadMs = 3 * 3_600_000
    const { lastSeen } = stateOf(watched)
    await until('another look', () => stateOf(watched).lastSeen !== lastSeen, 60)
    expect(watched.seen.every(({ state }) => state?.health === 'healthy' && !state.error)).toBe(true)
    expect(lab.requests({ path: '/access/ticket' }).total).toBe(2)
  },
)

test.concurrent.for(['pbs', 'pmg'] as const)(
  '[S18] %s with a new certificate is an error until a user trusts it, and gets no call meanwhile',
  async (kind, context) => {
    const { lab, start, until, pass } = await givenHosts(context, { factor: 40 })
    const watched = start(kind)
    await until('health', () => stateOf(watched).health === 'healthy', 20)
    await lab.control.renewApplianceCertificate(lab[kind][0]!.name)
    lab.control.resetRequests()
    await until('the error', () => stateOf(watched).health === 'error', 60)
    expect(stateOf(watched).error).toMatch(/certificate fingerprint does not match/)
    await pass(60)
    expect(lab.requests({ node: lab[kind][0]!.name }).total).toBe(0)
  },
)

test.concurrent('PMG with a token is refused without a single call', async (context) => {
  const { lab, start, until, pass } = await givenHosts(context, { factor: 40 })
  const watched = start('pmg', { auth: token('pulse-monitor@pmg!pulse-token', 'canary-9a2f') })
  await until('the error', () => stateOf(watched).health === 'error', 20)
  expect(stateOf(watched).error).toBe('Proxmox Mail Gateway has no API tokens. Use a user name and password.')
  await pass(60)
  expect(lab.requests().total).toBe(0)
})

test.concurrent('a connection that was closed while it idled is opened again, unnoticed', async (context) => {
  const { lab, start, until } = await givenHosts(context, { factor: 40 })
  const watched = start('pbs')
  await until('health', () => stateOf(watched).health === 'healthy', 20)
  lab.control.addFault({ kind: 'reset', node: 'pbs1', times: 1 })
  const { lastSeen } = stateOf(watched)
  await until('another look', () => stateOf(watched).lastSeen !== lastSeen, 60)
  expect(watched.seen.every(({ state }) => !state?.error)).toBe(true)
})

test.concurrent('stop ends all calls, and refresh asks at once', async (context) => {
  const { lab, start, until, pass } = await givenHosts(context, { factor: 40 })
  const { running, ...watched } = start('pbs')
  await until('health', () => stateOf(watched).health === 'healthy', 20)
  const before = lab.requests({ path: '/version' }).total
  running.refresh()
  await until('another call', () => lab.requests({ path: '/version' }).total > before, 5)
  lab.control.addFault({ kind: 'hang' })
  running.refresh()
  await until('a call under way', () => lab.requests({ path: '/version' }).total > before + 1, 5)
  await running.stop()
  const after = lab.requests().total
  await pass(90)
  expect(lab.requests().total).toBe(after)
})
