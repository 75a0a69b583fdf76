import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addToken, steppedClock } from '../testing/people.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { keptLimits } from './limits.ts'

const HOSTS = 20

const clock = steppedClock()
let server: TestServer
beforeAll(async () => {
  server = await startTestServer(clock)
})
afterAll(() => server.stop())

/** 15 kB compressed: a thousand containers with the maximum number of entries, each as short as possible. */
function flood(host: number): Buffer {
  const ports = Array.from({ length: 64 }, (_, n) => ({ privatePort: n + 1 }))
  const networks = Array.from({ length: 20 }, (_, n) => ({ name: `${n}` }))
  const labels = Object.fromEntries(Array.from({ length: 64 }, (_, n) => [`\u0001${n}`, '']))
  const containers = Array.from({ length: 1_000 }, (_, n) => ({ name: `c${n}`, ports, networks, labels }))
  const about = { agent: { id: `host-${host}` }, host: { hostname: `host-${host}` } }
  return gzipSync(JSON.stringify({ ...about, containers }))
}

function sender({ headers }: { headers: Record<string, string> }) {
  return async (body: Buffer) => {
    const answer = await fetch(`${server.url}/api/agents/docker/report`, {
      method: 'POST',
      body: new Uint8Array(body),
      headers: { ...headers, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    })
    return {
      status: answer.status,
      retryAfter: Number(answer.headers.get('retry-after')),
      body: await answer.json(),
    }
  }
}

const containersOf = (body: unknown) => (body as { containers: number }).containers

test('[R18] compressed reports of a token count by their uncompressed share', async () => {
  const send = sender(await addToken(server.call, { scopes: ['docker:report'] }))
  for (let n = 0; n < HOSTS; n++) {
    // 3 MB uncompressed: a caller that sends many of them is rate limited
    let answer = await send(flood(n))
    if (answer.status === 429) {
      clock.pass(answer.retryAfter * 1_000)
      answer = await send(flood(n))
    }
    expect(answer.status).toBe(200)
  }
  const other = sender(await addToken(server.call, { scopes: ['docker:report'], oneHost: true }))
  const { body } = await other(flood(1_000))
  expect(containersOf(body)).toBe(1_000)

  const { text } = await server.call('GET', '/api/state')
  expect(text.length).toBeGreaterThan(keptLimits.bytesOfToken / 2)
  expect(text.length).toBeLessThan(keptLimits.bytes)
})
