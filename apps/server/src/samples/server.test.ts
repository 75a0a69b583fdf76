import { fakeClock } from '@pulse/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { isForOneProcess } from '../testing/database-of-tests.ts'
import { adminToken, startTestServer } from '../testing/server.ts'

test.skipIf(isForOneProcess('its clock stands still until it moves it'))(
  '[N 5] a server with PULSE_SAMPLES_URL starts without its store, says where samples are, and deletes its own file',
  async () => {
    const server = await startTestServer(fakeClock(), {
      API_TOKENS: adminToken,
      PULSE_SAMPLES_URL: 'http://127.0.0.1:1/a/',
    })
    onTestFinished(() => server.stop())
    const storage = () => server.call('GET', '/api/history/storage')
    expect((await storage()).body).toMatchObject({ samplesIn: 'http://127.0.0.1:1/a', tiers: [] })
    const series = await server.call('GET', '/api/history/trends?kind=guests&fields=cpu')
    expect(series.status).toBe(200)
    const charts = await server.call(
      'GET',
      '/api/history/series?kind=meta&ids=meta&fields=liveClients&from=1&to=2',
    )
    expect(charts).toMatchObject({ status: 503, body: { code: 'history_unavailable' } })
    expect(charts.text).toContain('http://127.0.0.1:1: no answer (ECONNREFUSED)')
    expect((await server.call('DELETE', '/api/history')).status).toBe(200)
    expect(server.logLines.some((line) => line.includes('the samples in the store stay'))).toBe(true)
  },
)
