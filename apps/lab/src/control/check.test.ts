import { describe, expect, test } from 'vitest'
import { aLab } from '../fixtures.ts'
import { ControlError } from './check.ts'

describe('invalid requests are refused', () => {
  test.each([
    ['an unknown guest', 404, 'no guest 999 in prod'],
    ['an unknown cluster', 404, 'no cluster nowhere; there is prod'],
    ['an unknown node', 404, 'no node pve9 in prod; there is pve1, pve2, pve3'],
    ['an unknown field', 400, 'guest has no field colour; it takes cpu'],
    ['a processor share that is a text', 400, 'guest.cpu must be a number from 0 to 1024, not "high"'],
    ['an unknown status', 400, 'guest.status must be one of running, stopped, paused, not "on"'],
    ['no object', 400, 'guest must be an object'],
    ['a VMID in use', 409, 'guest 100 exists already'],
    ['a move to a node that is down', 409, 'node pve3 is offline'],
    ['an unknown fault', 400, 'fault.kind must be one of latency'],
    ['a fault without kind', 400, 'fault.kind is missing'],
    ['latency without milliseconds', 400, 'fault.ms is missing'],
    ['a fault on an unknown node', 404, 'no node pve9'],
    ['an unknown token', 404, 'no token a@b!c'],
  ])('%s: %i', async (what, status, message) => {
    const { lab } = await aLab()
    const { control } = lab
    await control.patchNode('pve3', { online: false })
    const attempts: Record<string, () => unknown> = {
      'an unknown guest': () => control.patchGuest(999, {}),
      'an unknown cluster': () => control.guests('nowhere'),
      'an unknown node': () => control.migrateGuest(100, 'pve9'),
      'an unknown field': () => control.patchGuest(100, { colour: 'red' } as object),
      'a processor share that is a text': () => control.patchGuest(100, { cpu: 'high' } as object),
      'an unknown status': () => control.patchGuest(100, { status: 'on' } as object),
      'no object': () => control.patchGuest(100, [] as object),
      'a VMID in use': () => control.createGuest({ vmid: 100 }),
      'a move to a node that is down': () => control.migrateGuest(100, 'pve3'),
      'an unknown fault': () => control.addFault({ kind: 'fire' } as never),
      'a fault without kind': () => control.addFault({} as never),
      'latency without milliseconds': () => control.addFault({ kind: 'latency' }),
      'a fault on an unknown node': () => control.addFault({ kind: 'hang', node: 'pve9' }),
      'an unknown token': () => control.patchToken('a@b!c', {}),
    }
    const error = await Promise.resolve()
      .then(attempts[what]!)
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ControlError)
    expect(error).toMatchObject({ status, message: expect.stringContaining(message) as unknown })
  })
})
