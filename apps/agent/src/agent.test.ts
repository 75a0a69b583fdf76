import type { DockerReport } from '@pulse/contract'
import { expect, onTestFinished, test } from 'vitest'
import { startAgent } from './agent.ts'
import { realClock } from './ticker.ts'
import { aLog, anEngine, aServer, aTargetAt, type Reply } from './fixtures.ts'
import { readSettings } from './settings/settings.ts'
import { type Target, targetText } from './settings/targets.ts'

const container = { Id: 'c0', Names: ['/web'], State: 'exited', Status: 'Exited (0)' }

async function anAgent(targets: Target[], list: unknown = [container]) {
  const engine = await anEngine((path) => {
    if (path === '/version') return { body: { ApiVersion: '1.41' } }
    if (path.endsWith('/info')) return { body: { ID: 'ENGINE' } }
    return path.includes('/c0/') ? { body: { State: { Status: 'exited' } } } : { body: list }
  })
  const ended: number[] = []
  const done: string[] = []
  let healthy = 0
  const { log, lines } = aLog()
  const agent = startAgent({
    settings: readSettings(['--interval', '1s'], { PULSE_TARGETS: targets.map(targetText).join('\n') }),
    engine: engine.address,
    clock: realClock,
    log,
    autostart: { disable: async () => void done.push('disabled'), letEnd: async () => {} },
    healthy: () => void healthy++,
    end: (code) => {
      ended.push(code)
      agent.stop()
    },
  })
  onTestFinished(() => agent.stop())
  return { engine, ended, done, lines, healthy: () => healthy }
}

const taken: Reply = { body: { success: true, hostId: 'ENGINE' } }

test('[facts 3.7] every server gets the same report, and an unreachable one does not delay the others', async () => {
  const [one, two] = [await aServer(() => taken), await aServer(() => taken)]
  const { engine } = await anAgent([one.target, aTargetAt(1), two.target])
  await expect.poll(() => [one.asked.length > 0, two.asked.length > 0]).toEqual([true, true])
  expect(one.asked[0]!.body).toEqual(two.asked[0]!.body)
  const report = JSON.parse(String(one.asked[0]!.body)) as DockerReport
  expect(report).toMatchObject({ agent: { id: 'ENGINE', intervalSeconds: 1 }, containers: [{ name: 'web' }] })
  expect(new Set(engine.asked.map(({ method }) => method))).toEqual(new Set(['GET']))
})

test('an accepted report counts as healthy, a refused one does not', async () => {
  const [refusing, taking] = [await aServer(() => ({ status: 401 })), await aServer(() => taken)]
  const alone = await anAgent([refusing.target])
  const { healthy } = await anAgent([refusing.target, taking.target])
  await expect.poll(healthy).toBeGreaterThan(0)
  expect([refusing.asked.length > 0, alone.healthy()]).toEqual([true, 0])
})

test('a stop command in a reply ends the agent for good', async () => {
  const stop = { id: 'id-1', type: 'stop' }
  const server = await aServer(({ path }) =>
    path.endsWith('/ack') ? {} : { body: { hostId: 'ENGINE', commands: [stop] } },
  )
  const { ended, done } = await anAgent([server.target])
  await expect.poll(() => ended).toEqual([0])
  expect(done).toEqual(['disabled'])
  const acks = server.asked
    .filter(({ path }) => path.endsWith('/ack'))
    .map(({ body }) => JSON.parse(String(body)) as object)
  expect(acks).toMatchObject([
    { hostId: 'ENGINE', status: 'acknowledged' },
    { hostId: 'ENGINE', status: 'completed' },
  ])
})

test('[facts 6.7] without a list of containers no report is sent', async () => {
  const server = await aServer(() => taken)
  const { lines, engine } = await anAgent([server.target], { message: 'busy' })
  await expect.poll(() => engine.asked.filter(({ path }) => path === '/version').length).toBeGreaterThan(1)
  expect(server.asked).toEqual([])
  expect(lines.filter((line) => line.includes('no report sent'))).toHaveLength(1)
})
