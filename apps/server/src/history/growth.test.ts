import type { Datastore, Storage } from '@pulse/contract'
import { precisionOf } from '@pulse/domain'
import { aPbsServer, aStorage } from '@pulse/testkit'
import { expect, test } from 'vitest'
import { grownMost } from './growth.ts'

const datastore = {
  server: 'vault',
  name: 'main',
  status: 'available',
  source: 'b1',
  total: 5e12,
} as Datastore

/** The names of what grew, with a cluster that has this storage, and the backup server `pbs.corp.lan`. */
async function grown(storage: Partial<Storage>, last = 2e9) {
  const found = await grownMost(
    {
      history: { edgeValues: async (_field, ids) => ids.map(() => ({ first: 1e9, last })) },
      tables: {
        storage: new Map([['c1:offsite', aStorage({ name: 'offsite', ...storage })]]),
        datastores: new Map([['b1:main', datastore]]),
        pbs: new Map([['b1', aPbsServer({ host: 'https://pbs.corp.lan:8007' })]]),
      },
    },
    0,
    1,
    'minute',
  )
  return found.map(({ name }) => name)
}

test.each<[string, Partial<Storage>, string[]]>([
  ['a storage', {}, ['offsite', 'main']],
  ['one that is the datastore', { pbs: { server: 'pbs.corp.lan', datastore: 'main' } }, ['main']],
  [
    'one that calls its server by another name, with the same size',
    { pbs: { server: '192.0.2.7', datastore: 'main' }, total: 5e12 },
    ['main'],
  ],
  [
    'a datastore of the same name on another server',
    { pbs: { server: 'pbs.elsewhere.lan', datastore: 'main' }, total: 8e12 },
    ['offsite', 'main'],
  ],
])('[M 3.5] %s', async (_, storage, names) => {
  expect(await grown(storage)).toEqual(names)
})

test('[M 3.5] what the history rounds is no growth', async () => {
  const { toStored, fromStored } = precisionOf.bytes
  const after = (steps: number) => fromStored(toStored(1e9) + steps)
  expect(await grown({}, after(1))).toEqual([])
  expect(await grown({}, after(3))).toEqual(['offsite', 'main'])
})
