import { expect, test } from 'vitest'
import { givenHosts, stateOf } from './fixtures.ts'

test.concurrent.for(['pbs', 'pmg'] as const)(
  '[R7] %s that falls silent is marked within 15 s of its limit, one and a half of its rounds, and recovers',
  async (kind, context) => {
    const { lab, clock, start, until, pass } = await givenHosts(context, { factor: 40 })
    const watched = start(kind)
    await until('health', () => stateOf(watched).health === 'healthy', 20)
    await pass(40)
    expect(stateOf(watched)).not.toHaveProperty('staleSince')
    lab.control.addFault({ kind: 'hang', node: lab[kind][0]!.name })
    const { lastSeen } = stateOf(watched)
    await until('the mark', () => stateOf(watched).staleSince !== undefined, 120)
    expect(clock.now() - stateOf(watched).staleSince!).toBeLessThanOrEqual(45_000 + 15_000)
    expect(stateOf(watched).staleSince).toBeGreaterThanOrEqual(lastSeen!)
    expect(stateOf(watched).health).toBe('error')
    lab.control.clearFaults()
    await until('recovery', () => stateOf(watched).health === 'healthy', 400)
    expect(stateOf(watched)).not.toHaveProperty('staleSince')
  },
)

test.concurrent('[S18, facts 1.3] a refusal and an unreachable host are distinguished', async (context) => {
  const { lab, start, until } = await givenHosts(context, { factor: 40 })
  const { tokenId } = lab.pbs[0]!.credentials
  const refused = start('pbs')
  const away = start('pmg')
  await until('health', () => [refused, away].every((one) => stateOf(one).health === 'healthy'), 30)
  await lab.control.patchAppliance('pbs1', { tokens: { [tokenId]: { enabled: false } } })
  await lab.control.patchAppliance('pmg1', { online: false })
  await until('errors', () => [refused, away].every((one) => stateOf(one).health === 'error'), 120)
  expect(stateOf(refused)).toMatchObject({ refused: true })
  expect(stateOf(away)).not.toHaveProperty('refused')
})
