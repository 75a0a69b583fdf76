import type { DockerReport } from '@pulse/contract'
import { fakeClock } from '@pulse/testkit'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { aLog, aServer, type Asked, aTargetAt, type Reply } from '../fixtures.ts'
import type { Target } from '../settings/targets.ts'
import { type Command, Outbox } from './outbox.ts'

const aReport = (timestamp: string, containers: DockerReport['containers'] = []): DockerReport => ({
  agent: { id: 'me' },
  host: { hostname: 'box' },
  containers,
  timestamp,
})
const long = aReport(
  'long',
  Array.from({ length: 40 }, (_, n) => ({ id: `c${n}`, name: `container-${n}`, image: 'nginx' })),
)
const taken = { success: true, hostId: 'me', containers: 0, lastSeen: '' }

function anOutbox(target: Target) {
  const clock = fakeClock()
  const { log, lines } = aLog([target.token])
  const commands: Command[] = []
  const outbox = new Outbox({
    target,
    clock,
    log,
    random: () => 1,
    timeoutMs: 60_000,
    onCommand: (command) => commands.push(command),
  })
  onTestFinished(() => outbox.stop())
  return { outbox, clock, lines, commands }
}

/** A server that answers with the current `reply`. */
async function aWorld(reply: Reply) {
  const world = { reply }
  const server = await aServer(() => world.reply)
  return { world, ...server, ...anOutbox(server.target) }
}

const stamp = ({ body }: Asked) => (JSON.parse(String(body)) as DockerReport).timestamp

test('[facts 3.1] a report is posted with the token in both headers', async () => {
  const { outbox, asked, target } = await aWorld({ body: taken })
  outbox.offer(aReport('one'))
  await expect.poll(() => asked).toHaveLength(1)
  expect(asked[0]).toMatchObject({
    method: 'POST',
    path: '/api/agents/docker/report',
    headers: {
      'content-type': 'application/json',
      'x-api-token': target.token,
      authorization: `Bearer ${target.token}`,
      'user-agent': 'pulse-agent/dev',
    },
  })
  expect(stamp(asked[0]!)).toBe('one')
})

test('gzip is used once the server has announced that it accepts it', async () => {
  const { world, outbox, asked } = await aWorld({ body: taken })
  const next = async (report: DockerReport) => {
    const before = asked.length
    outbox.offer(report)
    await expect.poll(() => asked.length).toBeGreaterThan(before)
    await expect.poll(() => outbox.isBusy).toBe(false)
    return asked.at(-1)!
  }
  await next(long)
  expect((await next(long)).headers['content-encoding']).toBeUndefined()
  expect(outbox.isOurs).toBe(false)
  world.reply = { body: taken, headers: { 'accept-encoding': 'gzip' } }
  await next(long)
  expect(outbox.isOurs).toBe(true)
  const packed = await next(long)
  expect(packed.headers['content-encoding']).toBe('gzip')
  expect(JSON.parse(String(gunzipSync(packed.body)))).toEqual(long)
  expect((await next(aReport('short'))).headers['content-encoding'], 'what is short stays').toBeUndefined()
})

test('a server that rejects gzip gets the same report uncompressed', async () => {
  const server = await aServer(({ headers }) =>
    headers['content-encoding'] ? { status: 415 } : { body: taken, headers: { 'accept-encoding': 'gzip' } },
  )
  const { outbox } = anOutbox(server.target)
  outbox.offer(long)
  await expect.poll(() => outbox.isOurs).toBe(true)
  outbox.offer(long)
  await expect
    .poll(() => server.asked.map(({ headers }) => headers['content-encoding']))
    .toEqual([undefined, 'gzip', undefined])
})

test('[R17] while a server is unreachable the newest report waits, and is delivered afterwards', async () => {
  const { world, outbox, asked, clock, lines } = await aWorld({ status: 503 })
  outbox.offer(aReport('one'))
  await expect.poll(() => clock.pending()).toBe(1)
  for (const name of ['two', 'three']) outbox.offer(aReport(name))
  await clock.advance(5_000)
  await expect.poll(() => asked).toHaveLength(2)
  await expect.poll(() => clock.pending()).toBe(1)
  world.reply = { body: taken }
  await clock.advance(9_999)
  expect(asked).toHaveLength(2)
  await clock.advance(1)
  await expect.poll(() => asked.map(stamp)).toEqual(['one', 'three', 'three'])
  await expect.poll(() => lines).toHaveLength(2)
  expect(lines[0]).toMatch(/WARN {2}http.* answered 503\. Retrying in 5 s\./)
  expect(lines[1]).toMatch(/accepts the reports of this host/)
})

test('an unreachable server is logged once, without the token', async () => {
  const { outbox, clock, lines } = anOutbox(aTargetAt(1))
  outbox.offer(aReport('one'))
  await expect.poll(() => clock.pending()).toBe(1)
  await clock.advance(5_000)
  await expect.poll(() => clock.pending()).toBe(1)
  expect(lines).toEqual([expect.stringMatching(/could not be reached: .*ECONNREFUSED/)])
})

test.each([
  [
    'the token is wrong',
    { status: 401, body: { error: 'Authentication required' } },
    /does not accept the token\. It says: Authentication required/,
  ],
  ['the token is of another host', { status: 403 }, /does not let this token report for this host/],
  [
    'it redirects',
    { status: 301, headers: { location: 'https://p.test/' } },
    /sends elsewhere, to https:\/\/p\.test\//,
  ],
  [
    'the token is repeated to us',
    { status: 400, body: { error: 'bad token tok-5ecret' } },
    /bad token \[secret\]/,
  ],
])('when %s the reason is logged', async (_what, reply, message) => {
  const { outbox, lines } = await aWorld(reply)
  outbox.offer(aReport('one'))
  await expect.poll(() => lines).toEqual([expect.stringMatching(message)])
})

test('[S9] a redirect is not followed with the token', async () => {
  const other = await aServer(() => ({ body: taken }))
  const { outbox, asked, lines } = await aWorld({
    status: 307,
    headers: { location: `${other.target.url}/api/agents/docker/report` },
  })
  outbox.offer(aReport('one'))
  await expect.poll(() => lines).toHaveLength(1)
  expect([asked.length, other.asked.length]).toEqual([1, 0])
})

test.each([
  ['a host that was removed on purpose asks once an hour', { status: 410 }, 3_600_000],
  ['a server that says how long is listened to', { status: 429, headers: { 'retry-after': '90' } }, 90_000],
])('%s', async (_what, reply, ms) => {
  const { outbox, asked, clock } = await aWorld(reply)
  outbox.offer(aReport('one'))
  await expect.poll(() => clock.pending()).toBe(1)
  await clock.advance(ms - 1)
  expect(asked).toHaveLength(1)
  await clock.advance(ms / 10 + 1)
  await expect.poll(() => asked).toHaveLength(2)
})

test('commands of a reply are passed on with the data for their acknowledgement', async () => {
  const commands = [{ id: 'one', type: 'stop' }, { id: 7, type: 'stop' }, null, { id: 'two' }]
  const { outbox, commands: got, target } = await aWorld({ body: { ...taken, commands } })
  outbox.offer(aReport('one'))
  await expect.poll(() => got).toEqual([{ id: 'one', type: 'stop', target, hostId: 'me' }])
})

test('invalid commands of a reply are ignored', async () => {
  const { outbox, commands, lines } = await aWorld({ body: '{"commands":7,"hostId":{}}' })
  outbox.offer(aReport('one'))
  await expect.poll(() => lines).toEqual([expect.stringContaining('accepts the reports')])
  expect(commands).toEqual([])
})

test.each([[''], ['<html>Welcome</html>'], ['[]'], ['{"success":false}']])(
  'a reply of 200 with %j does not count as accepted, and is logged',
  async (body) => {
    const { world, outbox, asked, clock, lines } = await aWorld({ body })
    outbox.offer(aReport('one'))
    await expect.poll(() => lines).toEqual([expect.stringMatching(/answered 200, .* not an answer of Pulse/)])
    world.reply = { body: taken }
    await clock.advance(5_000)
    await expect.poll(() => asked.map(stamp)).toEqual(['one', 'one'])
  },
)

test('the number of commands of a reply is bounded, so that it cannot cause a flood of requests', async () => {
  const many = Array.from({ length: 5_000 }, (_, n) => ({ id: `id-${n}`, type: 'dance' }))
  const odd = { id: 'x'.repeat(10_000), type: 'stop' }
  const { outbox, commands } = await aWorld({ body: { ...taken, commands: [odd, ...many] } })
  outbox.offer(aReport('one'))
  await expect.poll(() => commands.length).toBeGreaterThan(0)
  expect(commands.length).toBeLessThanOrEqual(10)
  expect(commands).not.toContainEqual(expect.objectContaining({ id: odd.id }))
})
