import * as contract from '@pulse/contract'
import { type Endpoint, errorCodes } from '@pulse/contract'
import fs from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/server.ts'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'path' in value && 'method' in value
const endpoints: Endpoint[] = Object.values(contract as Record<string, unknown>).filter(isEndpoint)
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** Reviewed by hand; longer than ten it is too long. */
const publicCalls = ['GET /api/health', 'GET /api/version', 'GET /api/security/status']

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const ask = (endpoint: Endpoint, headers: Record<string, string> = {}, where = endpoint.path) =>
  server.call(endpoint.method, where.replace(/:\w+/g, 'x'), endpoint.body ? {} : undefined, headers)

describe('[S1] the inventory of calls', () => {
  test('exactly the reviewed calls are public', () => {
    const found = endpoints.filter((e) => e.access === 'public').map(nameOf)
    console.log(`public calls: ${found.join(', ')}`)
    expect(found.toSorted()).toEqual(publicCalls.toSorted())
    expect(found.length).toBeLessThanOrEqual(10)
  })

  test.each(endpoints.map((e) => [nameOf(e), e] as const))('%s is served', async (_name, endpoint) => {
    const { status, text } = await ask(endpoint)
    expect(status, text).not.toBe(405)
    if (status === 404) expect(text).not.toContain('There is no such call')
    expect(status).toBeLessThan(500)
  })

  test.each(endpoints.map((e) => [nameOf(e), e] as const))(
    '%s refuses a stranger unless it is public',
    async (_name, endpoint) => {
      for (const headers of [{ 'x-forwarded-for': '203.0.113.9' }, { origin: 'http://evil.example' }]) {
        const { status } = await ask(endpoint, headers as unknown as Record<string, string>)
        if (endpoint.access === 'public') expect(status).toBe(200)
        else expect(status).toBe(403)
      }
    },
  )

  const spellings: [string, (path: string) => string][] = [
    ['upper case', (p) => p.toUpperCase()],
    ['a double slash', (p) => p.replace('/api/', '/api//')],
    ['a dot segment', (p) => p.replace('/api/', '/api/./')],
    ['an encoded letter', (p) => p.replace('api', '%61pi')],
    ['an encoded slash', (p) => p.replace('/api/', '/api%2f')],
    ['an asset ending', (p) => `${p}.js`],
    ['a trailing slash', (p) => `${p}/`],
    ['a semicolon', (p) => `${p};.css`],
  ]
  test.each(spellings)('%s opens nothing', async (_how, spell) => {
    for (const endpoint of endpoints.filter((e) => e.access !== 'public')) {
      const { status } = await ask(
        endpoint,
        { 'x-forwarded-for': '203.0.113.9' },
        spell(endpoint.path) as never,
      )
      expect([400, 403, 404, 405], `${endpoint.method} ${spell(endpoint.path)}: ${status}`).toContain(status)
    }
  })
})

test('every error code is explained in docs/api-errors.md', () => {
  const text = fs.readFileSync(new URL('../../../../docs/api-errors.md', import.meta.url), 'utf8')
  for (const code of errorCodes) expect(text).toContain(`\`${code}\``)
})
