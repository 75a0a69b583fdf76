import { expect, test } from 'vitest'
import { givenHosts, stateOf } from '../proxmox/fixtures.ts'

test.concurrent(
  '[facts 2.5] PMG answers /version: it is there, whatever else it keeps to itself',
  async (context) => {
    const { lab, start, until, test: probe } = await givenHosts(context, { factor: 40 })
    lab.control.addFault({ kind: 'status', status: 403, path: '/nodes', node: 'pmg1' })
    const watched = start('pmg')
    await until('an answer', () => stateOf(watched).health !== undefined, 30)
    expect(stateOf(watched)).toMatchObject({ health: 'healthy' })
    expect(stateOf(watched)).not.toHaveProperty('error')
    expect(await probe('pmg')).toMatchObject({ status: 'success' })
  },
)
