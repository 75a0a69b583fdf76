import { expect, test } from 'vitest'
import { givenHosts, stateOf } from '../proxmox/fixtures.ts'

test.concurrent(
  '[facts 2.2] PBS answers /version: it is there, whatever else it keeps to itself',
  async (context) => {
    const { lab, start, until, test: probe } = await givenHosts(context, { factor: 40 })
    lab.control.addFault({ kind: 'status', status: 403, path: '/nodes', node: 'pbs1' })
    const watched = start('pbs')
    await until('an answer', () => stateOf(watched).health !== undefined, 30)
    expect(stateOf(watched)).toMatchObject({ health: 'healthy' })
    expect(stateOf(watched)).not.toHaveProperty('error')
    expect(await probe('pbs')).toMatchObject({ status: 'success', datastoreCount: 2 })
  },
)

test.concurrent(
  '[facts 2.2] PBS does not answer /version but lists its datastores: it is connected',
  async (context) => {
    const { lab, start, until, logLines } = await givenHosts(context, { factor: 40 })
    lab.control.addFault({ kind: 'status', status: 403, path: '/version', node: 'pbs1' })
    const watched = start('pbs')
    await until('an answer', () => stateOf(watched).health !== undefined, 30)
    expect(stateOf(watched)).toMatchObject({ health: 'healthy' })
    expect(logLines.some((line) => line.includes('"version":"connected"'))).toBe(true)
  },
)

test.concurrent(
  'an account that PBS refuses is not tried a second time in the same cycle',
  async (context) => {
    const { lab, start, until } = await givenHosts(context, { factor: 40 })
    const { tokenId } = lab.pbs[0]!.credentials
    await lab.control.patchAppliance('pbs1', { tokens: { [tokenId]: { enabled: false } } })
    const watched = start('pbs')
    await until('the error', () => stateOf(watched).health === 'error', 30)
    expect(lab.requests({ node: 'pbs1', path: '/admin/datastore' }).total).toBe(0)
  },
)
