import { expect, test } from 'vitest'
import { givenHosts, password, stateOf } from './fixtures.ts'

test.concurrent.for([true, false])(
  '[facts 1.1] a password opens all three products, whether they undo percent signs in cookies or not (raw: %s)',
  async (rawCookies, context) => {
    const { lab, start, until, test: probe } = await givenHosts(context, { factor: 40, rawCookies })
    const accounts = {
      pve: lab.credentials.monitor,
      pbs: lab.pbs[0]!.credentials.monitor,
      pmg: lab.pmg[0]!.credentials.auditor,
    }
    for (const kind of ['pve', 'pbs', 'pmg'] as const) {
      const auth = password(accounts[kind].user, accounts[kind].password)
      expect(await probe(kind, { auth })).toMatchObject({ status: 'success' })
      const watched = start(kind, { auth })
      await until(`an answer of ${kind}`, () => stateOf(watched).lastSeen !== undefined, 30)
      expect(stateOf(watched)).toMatchObject({ health: 'healthy' })
    }
  },
)
