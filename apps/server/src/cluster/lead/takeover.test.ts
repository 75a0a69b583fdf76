import { type Lab, startLab } from '@pulse/lab'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { within } from '../../../../../scripts/test-limits.ts'
import { scale } from '../../auth/fixtures.ts'
import { createPollLog } from '../../testing/chaos-polls.ts'
import { addSources } from '../../testing/chaos-sources.ts'
import { startCluster, type TestCluster } from '../../testing/cluster.ts'
import { hasNats } from '../../testing/nats-server.ts'
import { hasPostgres } from '../../testing/postgres-server.ts'

const found = hasNats() && hasPostgres()
if (!found) console.log('skipped: no NATS or no PostgreSQL')

const kills = scale > 1 ? 50 : 2
/** `npm run bench` measures how long a takeover takes. */
const limit = { timeout: within(120_000), interval: 50 }
const testMs = within(60_000) * (kills + 1)

describe.skipIf(!found)('[N 6] after a kill -9', () => {
  let cluster: TestCluster
  let lab: Lab
  const polls = createPollLog()
  /** It began last, and so leads. */
  const leader = () =>
    cluster.processes.toSorted((x, y) => ((x.leads().at(-1) ?? '') < (y.leads().at(-1) ?? '') ? 1 : -1))[0]!
  const holdersOf = () => [...new Set(polls.last().values())].toSorted()

  beforeAll(async () => {
    lab = await startLab({
      nodes: 4,
      clusters: 4,
      guests: 4,
      pbs: 1,
      pmg: 1,
      authDelayMs: 0,
      loadPeriodMs: 0,
      onRequest: polls.note,
    })
    cluster = await startCluster({ a: {}, b: {}, c: {} }, 3)
    await addSources(cluster.processes[0]!.call, lab)
  })
  afterAll(async () => {
    await cluster?.remove()
    await lab?.close()
  })

  test('others ask the sources of the process', { timeout: testMs }, async () => {
    const { processes } = cluster
    const all = lab.clusters.length + lab.pbs.length + lab.pmg.length
    for (let kill = 0; kill < kills; kill++) {
      await expect.poll(() => polls.last().size, limit).toBe(all)
      await expect.poll(holdersOf, limit).toHaveLength(processes.length)
      const killed = processes[kill % processes.length]!
      const own = [...polls.last()].filter(([, from]) => from === killed.address).map(([source]) => source)
      await killed.kill()
      await expect
        .poll(() => own.filter((source) => polls.last().get(source) === killed.address), limit)
        .toEqual([])
      await killed.start()
    }
  })

  test('another one leads', { timeout: testMs }, async () => {
    const { processes } = cluster
    for (let kill = 0; kill < kills; kill++) {
      const killed = leader()
      const others = processes.filter((one) => one !== killed)
      const before = others.flatMap((one) => one.leads())
      await killed.kill()
      await expect
        .poll(() => others.flatMap((one) => one.leads()).length, limit)
        .toBeGreaterThan(before.length)
      await killed.start()
    }
  })
})
