import diagnostics from 'node:diagnostics_channel'
import { expect, test } from 'vitest'
import { given } from './given.ts'

const beatMs = 250

test('[design 9] guests of all nodes are asked at the same moments, which costs a quarter, and each node in its own measure', async (context) => {
  const { lab, start, until, isComplete, pass, clock } = await given(context, { nodes: 3, guests: 90 })
  const hosts = new Set(lab.clusters[0]!.nodes.map(({ address }) => address))
  const moments: number[] = []
  const began = (call: unknown) => {
    if (hosts.has((call as { host: string }).host)) moments.push(clock.monotonic())
  }
  diagnostics.subscribe('tracing:pulse:call:start', began)
  context.onTestFinished(() => void diagnostics.unsubscribe('tracing:pulse:call:start', began))
  const probes = () => {
    const { total } = lab.requests({ path: '/nodes/*/qemu/*/*' })
    return total + lab.requests({ path: '/nodes/*/lxc/*/*' }).total
  }
  start()
  await until('the whole picture', isComplete, 20)
  await pass(10)
  const before = probes()
  moments.length = 0
  await pass(60)
  const asked = probes() - before
  expect(asked).toBeGreaterThan(50)
  const onBeat = moments.filter((at) => at % beatMs === 0)
  expect(onBeat.length).toBeGreaterThanOrEqual(0.7 * asked)
  for (const inFlight of Object.values(lab.requests().maxInFlight)) expect(inFlight).toBeLessThanOrEqual(8)
})
