import { type Connection, Secret } from '@pulse/domain'
import { expect, test } from 'vitest'
import type { Collector, CollectorEdges, RunningCollector } from '../../collectors/source.ts'
import { leasedCollectors } from './leased-collectors.ts'

const connection: Connection = {
  id: 'pve-1',
  kind: 'pve',
  name: 'main',
  host: 'https://127.0.0.1:9',
  auth: { type: 'token', tokenId: 'pulse@pve!pulse', secret: new Secret('secret') },
  verifySSL: true,
  flags: {},
}

test.each<[string | undefined, string | undefined]>([
  ['Berlin', 'Rome'],
  ['Berlin', undefined],
  [undefined, 'Rome'],
])('a connection of site %s that is at %s before its turn is collected there', (before, after) => {
  const started: Connection[] = []
  const own = {
    start(given: Connection) {
      started.push(given)
      return { stop: () => Promise.resolve() } as RunningCollector
    },
  } as unknown as Collector
  let begin = () => {}
  const { pve } = leasedCollectors(
    { pve: own, pbs: own, pmg: own },
    {
      isKnown: () => false,
      watch(_source, turns) {
        begin = turns.begin
        return () => {}
      },
    },
  )
  const at = (site: string | undefined) => ({ ...connection, ...(site !== undefined && { site }) })
  pve.start(at(before), {} as CollectorEdges).apply(at(after))
  begin()
  expect(started).toStrictEqual([at(after)])
})
