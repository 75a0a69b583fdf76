import { startLab } from '@pulse/lab'
import v8 from 'node:v8'
import vm from 'node:vm'
import type { Clock } from '@pulse/domain'
import { expect, test } from 'vitest'
import { within } from '../../../../scripts/test-limits.ts'
import { realClock } from '../edges.ts'
import { product } from '../server.ts'
import { quickHashing } from '../testing/quick-hashing.ts'
import { adminToken, startTestServer } from '../testing/server.ts'

v8.setFlagsFromString('--expose-gc')
const collectGarbage = vm.runInNewContext('gc') as () => void

/** The real clock, which also records pending timers with the stacks that set them. */
function countedClock() {
  const waiting = new Map<object, string | undefined>()
  const clock: Clock = {
    ...realClock,
    after(ms, run) {
      const timer = {}
      waiting.set(timer, new Error(`${ms} ms`).stack)
      const cancel = realClock.after(ms, () => {
        waiting.delete(timer)
        run()
      })
      return () => {
        waiting.delete(timer)
        cancel()
      }
    },
  }
  return { clock, waiting }
}

const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length

test('a server that has stopped holds no timer, no connection and nothing of itself, whatever it was asked before', async ({
  onTestFinished,
}) => {
  const lab = await startLab({ pbs: 1, pmg: 1, guests: 6, nodes: 2 })
  onTestFinished(() => lab.close())
  const socketsBefore = sockets()
  const { clock, waiting } = countedClock()
  let base: WeakRef<object> | undefined
  const server = await startTestServer(
    clock,
    { API_TOKENS: adminToken },
    undefined,
    quickHashing,
    (given, ...rest) => {
      base ??= new WeakRef(given.state)
      return product(given, ...rest)
    },
  )
  onTestFinished(() => server.stop())
  const hosts = [
    ...lab.clusters.map(({ nodes }) => ({ type: 'pve', ...nodes[0]! })),
    ...lab.pbs.map((host) => ({ type: 'pbs', ...host })),
    ...lab.pmg.map((host) => ({ type: 'pmg', ...host })),
  ]
  const { tokenId: tokenName, tokenSecret: tokenValue } = lab.credentials
  const inputs = hosts.map(({ type, name, url: host, fingerprint }) => {
    const way = type === 'pmg' ? { user: 'pulse@pmg', password: 'secret' } : { tokenName, tokenValue }
    return { type, name, host, fingerprint, ...way }
  })
  for (const input of inputs)
    expect((await server.call('POST', '/api/config/nodes', input)).status).toBeLessThan(300)

  // all sources hang, and users request tests too
  for (const { name } of [...lab.clusters.flatMap(({ nodes }) => nodes), ...lab.pbs, ...lab.pmg])
    lab.control.addFault({ kind: 'hang', node: name, times: 1_000 })
  const testsBefore = lab.requests({ path: '/' }).total
  const asked = [
    ['GET', '/api/diagnostics', undefined] as const,
    ...inputs.map((input) => ['POST', '/api/config/nodes/test-connection', input] as const),
  ].map(([method, where, body]) => server.call(method, where, body).catch(() => undefined))
  // each connection test first requests the start page
  const tests = () => lab.requests({ path: '/' }).total - testsBefore
  await expect.poll(tests, { timeout: within(30_000) }).toBeGreaterThanOrEqual(2 * inputs.length)

  await server.server.stop()
  expect(server.logLines.filter((line) => line.includes('did not stop'))).toEqual([])
  expect([...waiting.values()]).toEqual([])
  await expect.poll(sockets, { timeout: within(30_000) }).toBeLessThanOrEqual(socketsBefore)
  await Promise.all(asked)
  await server.restart()
  await expect
    .poll(
      () => {
        collectGarbage()
        return base!.deref() === undefined
      },
      { timeout: within(30_000) },
    )
    .toBe(true)
})
