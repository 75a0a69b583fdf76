import net from 'node:net'
import { expect, test } from 'vitest'
import { monotonicReading, realClock } from './edges.ts'

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

test('[R20] after the process was held up, what has come in goes before limits that ended meanwhile', async () => {
  const events: string[] = []
  const server = net.createServer((socket) => void socket.on('data', () => events.push('answer')))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1')
  await new Promise((resolve) => client.once('connect', resolve))
  const both = new Promise<void>((resolve) => {
    realClock.after(50, () => {
      events.push('limit')
      resolve()
    })
  })
  // The kernel buffers the bytes while this thread is blocked.
  client.write('x')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200)
  await both
  expect(events).toEqual(['answer', 'limit'])
  client.destroy()
  server.close()
})
