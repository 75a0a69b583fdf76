import { expect, test } from 'vitest'
import { givenLab } from './given.ts'

const most = { cpuMs: 150, startMs: 3000 }

test('10,000 guests on 100 nodes start quickly and cost little to refresh and serve', async () => {
  let nowMs = Date.parse('2026-07-01T12:00:00Z')
  const began = performance.now()
  const { ask } = await givenLab({ nodes: 100, guests: 10_000, now: () => nowMs })
  const startMs = performance.now() - began
  await ask('/cluster/resources')

  const costs: number[] = []
  for (let refresh = 0; refresh < 5; refresh++) {
    nowMs += 10_000
    const before = process.threadCpuUsage()
    const { status } = await ask('/cluster/resources')
    const { user, system } = process.threadCpuUsage(before)
    expect(status).toBe(200)
    costs.push((user + system) / 1000)
  }
  // The client in the same process parses the answer, so the real cost is lower still.
  const median = costs.toSorted((left, right) => left - right)[2]!
  console.log(
    `lab cost: start ${startMs.toFixed(0)} ms, refresh and serve ${median.toFixed(0)} ms CPU with the client`,
  )
  expect(startMs).toBeLessThan(most.startMs)
  expect(median).toBeLessThan(most.cpuMs)
})
