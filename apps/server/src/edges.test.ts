import { expect, test } from 'vitest'
import { monotonicReading } from './edges.ts'

function machine() {
  const at = { running: 5_000, uptime: 90_000_000 }
  const reading = monotonicReading(
    () => at.running,
    () => at.uptime,
  )
  return {
    reading,
    run: (ms: number) => void ((at.running += ms), (at.uptime += ms)),
    sleep: (ms: number) => void (at.uptime += ms),
    lie: (ms: number) => void (at.uptime -= ms),
  }
}

test('[R20] the monotonic reading counts the time that the machine was suspended', () => {
  const { reading, run, sleep } = machine()
  run(1_500)
  const before = reading()
  sleep(8 * 3_600_000)
  run(1_000)
  expect(reading() - before).toBe(8 * 3_600_000 + 1_000)
})

test('[R20] it never goes back, whatever the uptime says', () => {
  const { reading, run, sleep, lie } = machine()
  sleep(60_000)
  run(1_000)
  const before = reading()
  lie(600_000)
  run(1_000)
  expect(reading() - before).toBe(1_000)
})
