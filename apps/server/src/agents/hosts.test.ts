import { aMeta, fakeClock } from '@pulse/testkit'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { AgentHostRow } from '../db/schema.ts'
import { docker } from '../docker/index.ts'
import { createState } from '../state/state.ts'
import { createHosts } from './hosts.ts'
import { createAgentKinds } from './kinds.ts'
import { createPresence } from './presence.ts'
import { agentProtocol as protocol } from './protocol.ts'

const aRow = (n: number, online: number): AgentHostRow => ({
  id: `docker-${n}`,
  host_id: `host${n}`,
  facts: JSON.stringify({ hostname: `host${n}`, displayName: `host${n}`, ...docker.nothingKnown }),
  token_id: null,
  token_name: null,
  token_hint: null,
  hidden: 0,
  pending_uninstall: 0,
  command: null,
  enrolled_at: 0,
  last_seen_at: null,
  online,
})

/** Stored hosts, and what is written while the database takes it. */
function aFleet(online: readonly number[]) {
  const clock = fakeClock()
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  const writes: AgentHostRow[][] = []
  let isRefusing = false
  function demandWritable() {
    if (isRefusing) throw new Error('canceling statement due to statement timeout')
  }
  async function write(rows: readonly AgentHostRow[]) {
    demandWritable()
    writes.push([...rows])
  }
  const hosts = createHosts({
    protocol,
    kinds: createAgentKinds([docker]),
    store: {
      all: async () => online.map((one, n) => aRow(n, one)),
      removals: async () => [],
      put: (row) => write([row]),
      putAll: write,
      remove: async () => demandWritable(),
      allow: async () => {},
    },
    state: createState(aMeta()),
    clock,
    log,
  })
  const presence = createPresence({ protocol, hosts, clock, log, onNews: () => {} })
  return {
    clock,
    hosts,
    lines,
    writes,
    refuse: (refuses: boolean) => void (isRefusing = refuses),
    async start() {
      await hosts.start()
      presence.start()
    },
    async stop() {
      presence.stop()
      await hosts.stop()
    },
  }
}

test('hosts that go offline at once are stored in one step, and those that were offline are not stored', async () => {
  const { clock, writes, start, stop } = aFleet([...Array.from({ length: 300 }, () => 1), 0, 0])
  await start()
  await clock.advance(10 * 60_000)
  expect(writes.map(({ length }) => length)).toEqual([300])
  expect(new Set(writes.flat().map(({ online }) => online))).toEqual(new Set([0]))
  await stop()
})

test('one that goes offline is stored without those that have only reported, which follow later and at the end', async () => {
  const { clock, hosts, writes, start, stop } = aFleet([1, 1, 1])
  await start()
  const [first, second, third] = hosts.all()
  for (const host of [first!, second!, third!]) hosts.touch(host)
  hosts.keep(second!)
  await clock.advance(1_000)
  const stored = () => writes.map((rows) => rows.map(({ host_id }) => host_id))
  expect(stored()).toEqual([['host1']])
  hosts.keep(third!)
  await stop()
  expect(stored().flat().toSorted()).toEqual(['host0', 'host1', 'host2'])
})

test('while the database refuses them, that is said once, and they are stored when it takes them', async () => {
  const { clock, lines, writes, refuse, start, stop } = aFleet(Array.from({ length: 20 }, () => 1))
  await start()
  refuse(true)
  await clock.advance(10 * 60_000)
  expect([lines.length, writes]).toEqual([1, []])
  refuse(false)
  await clock.advance(10_000)
  expect(writes.map(({ length }) => length)).toEqual([20])
  await stop()
})

test('a call that the database refuses loses nothing that a host has reported before', async () => {
  const { hosts, writes, refuse, start, stop } = aFleet([1, 1])
  await start()
  const [saved, removed] = hosts.all()
  hosts.touch(saved!)
  hosts.touch(removed!)
  refuse(true)
  await expect(hosts.save(saved!)).rejects.toThrow('canceling statement')
  await expect(hosts.remove(removed!)).rejects.toThrow('canceling statement')
  refuse(false)
  await stop()
  expect(writes.flat().map(({ host_id }) => host_id)).toEqual(['host0', 'host1'])
})
