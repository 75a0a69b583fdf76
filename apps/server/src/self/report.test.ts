import { afterAll, beforeAll, expect, test } from 'vitest'
import { answeringServers } from '../testing/database-of-tests.ts'
import { steppedClock } from '../testing/people.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

const day = 86_400_000
const clock = steppedClock()
let server: TestServer
beforeAll(async () => {
  server = await startTestServer(clock)
})
afterAll(() => server.stop())

test.each([-day, 3 * day])(
  '[R20] the wall clock is set by %i ms: the uptime of Pulse stays right',
  async (step) => {
    clock.pass(60_000)
    clock.step(step)
    // each process moves its own start time
    for (let n = 0; n < Math.max(1, answeringServers); n++)
      expect((await server.call('GET', '/api/performance')).status).toBe(200)
    const { uptime, startTime } = (await server.call('GET', '/api/stats')).body as {
      uptime: number
      startTime: string
    }
    expect(uptime).toBeGreaterThan(60)
    expect(uptime).toBeLessThan(3_600)
    expect(clock.now() - Date.parse(startTime)).toBeLessThan(3_600_000)
  },
)
