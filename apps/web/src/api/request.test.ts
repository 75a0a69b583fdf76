import { describe, expect, test } from 'vitest'
import { createCredentials } from './credentials.ts'
import { ApiError, createRequester, type RequestOptions } from './request.ts'

type Answer = { status?: number; body?: string; headers?: Record<string, string>; sets?: string }

function setup(answers: Answer[], cookies = '') {
  const calls: { url: string; method: string; headers: Headers; body: unknown; credentials: unknown }[] = []
  const waits: number[] = []
  const warnings: string[] = []
  const unauthorized: string[] = []
  const credentials = createCredentials()
  let jar = cookies
  const requester = createRequester({
    fetch: async (url, init) => {
      const { method = 'GET', body, credentials: sent } = init
      calls.push({ url, method, headers: new Headers(init.headers), body, credentials: sent })
      const { status = 200, body: text = '{}', headers = {}, sets } = answers[calls.length - 1] ?? {}
      if (sets) jar = sets
      return new Response(text, { status, headers })
    },
    cookies: () => jar,
    wait: async (ms) => void waits.push(ms),
    warn: (message) => warnings.push(message),
    onUnauthorized: () => unauthorized.push(calls.at(-1)!.url),
    credentials,
  })
  return { requester, calls, waits, warnings, unauthorized, credentials }
}

const sentHeaders = async (options: RequestOptions, cookies = '', url = '/api/state') => {
  const { requester, calls, credentials } = setup([{}], cookies)
  credentials.set({ kind: 'token', token: 't0k' })
  await requester.send(url, options)
  return calls[0]!.headers
}

describe('[spec 1 §7] every call', () => {
  test('includes cookies', async () => {
    const { requester, calls } = setup([{}, {}])
    await requester.send('/api/state')
    await requester.send('/logo.svg')
    expect(calls.map((call) => call.credentials)).toEqual(['include', 'include'])
  })

  test('to /api/ sends the client header and accepts JSON', async () => {
    const headers = await sentHeaders({})
    expect(headers.get('X-Requested-With')).toBe('XMLHttpRequest')
    expect(headers.get('Accept')).toBe('application/json')
  })

  test('elsewhere sends no client header', async () => {
    expect([...(await sentHeaders({ method: 'POST' }, 'pulse_csrf=c', '/other'))]).toEqual([])
  })
})

describe('[spec 1 §6] credentials', () => {
  test('a token is sent as X-API-Token', async () => {
    expect((await sentHeaders({})).get('X-API-Token')).toBe('t0k')
  })

  test('name and password go as basic, in UTF-8', async () => {
    const { requester, calls, credentials } = setup([{}])
    credentials.set({ kind: 'basic', username: 'zoë', password: 'pä:ss' })
    await requester.send('/api/state')
    const [scheme, value] = calls[0]!.headers.get('Authorization')!.split(' ')
    expect([scheme, Buffer.from(value!, 'base64').toString()]).toEqual(['Basic', 'zoë:pä:ss'])
  })

  test('are not sent when authentication is skipped', async () => {
    expect((await sentHeaders({ skipAuth: true })).has('X-API-Token')).toBe(false)
  })

  test('are not sent once cleared', async () => {
    const { requester, calls, credentials } = setup([{}])
    credentials.set({ kind: 'token', token: 't' })
    credentials.clear()
    await requester.send('/api/state')
    expect(calls[0]!.headers.has('X-API-Token')).toBe(false)
  })

  test('a 401 with credentials only logs a warning and keeps them', async () => {
    const { requester, warnings, credentials } = setup([{ status: 401, body: '{"error":"No"}' }])
    credentials.set({ kind: 'token', token: 't' })
    await expect(requester.json('/api/state')).rejects.toThrow('No')
    expect(warnings).toHaveLength(1)
    expect(credentials.get()).toBeDefined()
  })

  test('a 401 without credentials logs nothing', async () => {
    const { requester, warnings } = setup([{ status: 401 }])
    await requester.send('/api/state')
    expect(warnings).toEqual([])
  })
})

describe('[spec 1 §7] the CSRF token', () => {
  test.each([
    { method: 'GET', sent: null },
    { method: 'HEAD', sent: null },
    { method: 'OPTIONS', sent: null },
    { method: 'POST', sent: 'c/1=' },
    { method: 'PUT', sent: 'c/1=' },
    { method: 'DELETE', sent: 'c/1=' },
  ])('$method carries $sent', async ({ method, sent }) => {
    const headers = await sentHeaders({ method }, 'a=b; pulse_csrf=c%2F1%3D; z=1')
    expect(headers.get('X-CSRF-Token')).toBe(sent)
  })

  test('is left out while there is no cookie', async () => {
    expect((await sentHeaders({ method: 'POST' }, 'xpulse_csrf=no')).has('X-CSRF-Token')).toBe(false)
  })

  test('a 403 about CSRF reads the cookie again and retries once', async () => {
    const refused = { status: 403, body: '{"error":"CSRF token mismatch"}', sets: 'pulse_csrf=new' }
    const { requester, calls } = setup([refused, { body: '{"ok":true}' }], 'pulse_csrf=old')
    expect(await requester.json('/api/x', { method: 'POST', json: { a: 1 } })).toEqual({ ok: true })
    expect(calls.map(({ headers }) => headers.get('X-CSRF-Token'))).toEqual(['old', 'new'])
    expect(calls.map(({ body }) => body)).toEqual(['{"a":1}', '{"a":1}'])
  })

  test('a second 403 about CSRF is final', async () => {
    const refused = { status: 403, body: 'CSRF' }
    const { requester, calls } = setup([refused, refused, {}])
    await expect(requester.json('/api/x', { method: 'POST' })).rejects.toThrow('CSRF')
    expect(calls).toHaveLength(2)
  })

  test('another 403 is final', async () => {
    const { requester, calls } = setup([{ status: 403, body: 'Not yours' }])
    await expect(requester.json('/api/x', { method: 'POST' })).rejects.toThrow('Not yours')
    expect(calls).toHaveLength(1)
  })
})

describe('[spec 1 §7] a 429', () => {
  test.each([
    { header: '7', ms: 7_000 },
    { header: '0', ms: 0 },
    { header: undefined, ms: 2_000 },
    { header: 'soon', ms: 2_000 },
  ])('with Retry-After $header waits $ms ms and tries once more', async ({ header, ms }) => {
    const limited: Answer = { status: 429, ...(header && { headers: { 'Retry-After': header } }) }
    const { requester, calls, waits } = setup([limited, { body: '[1]' }])
    expect(await requester.json('/api/x')).toEqual([1])
    expect(waits).toEqual([ms])
    expect(calls).toHaveLength(2)
  })

  test.each([
    { header: '30', waits: [30_000] },
    { header: '31', waits: [] },
    { header: '86400', waits: [] },
    { header: 'Fri, 31 Dec 9999 23:59:59 GMT', waits: [] },
  ])('with Retry-After $header keeps no user waiting for longer than 30 s', async ({ header, waits }) => {
    const given429 = setup([
      { status: 429, body: 'Too many', headers: { 'Retry-After': header } },
      { body: '[1]' },
    ])
    const answer = await given429.requester.json('/api/x').catch((error: Error) => error.message)
    expect([given429.waits, answer]).toEqual([waits, waits.length ? [1] : 'Too many'])
  })

  test('a second one is final', async () => {
    const { requester, calls } = setup([{ status: 429 }, { status: 429, body: 'Too many' }, {}])
    await expect(requester.json('/api/x')).rejects.toThrow('Too many')
    expect(calls).toHaveLength(2)
  })
})

test('[spec 1 §7] with retryLimited: false a 429 is returned at once', async () => {
  const { requester, calls, waits } = setup([{ status: 429, headers: { 'Retry-After': '60' } }, {}])
  expect((await requester.send('/api/login', { method: 'POST', retryLimited: false })).status).toBe(429)
  expect({ waits, calls: calls.length }).toEqual({ waits: [], calls: 1 })
})

test.each([
  { method: 'GET', status: 401, isReported: false },
  { method: 'POST', status: 401, isReported: true },
  { method: 'DELETE', status: 401, isReported: true },
  { method: 'PUT', status: 403, isReported: false },
])('a $method answered with $status may mean that the session has ended: $isReported', async (call) => {
  const { requester, unauthorized } = setup([{ status: call.status }])
  await requester.send('/api/x', { method: call.method })
  expect(unauthorized).toEqual(call.isReported ? ['/api/x'] : [])
})

test('settled waits for changes, not for reads', async () => {
  const answers: (() => void)[] = []
  const requester = createRequester({
    fetch: () => new Promise((resolve) => answers.push(() => resolve(new Response('{}')))),
    cookies: () => '',
    wait: async () => {},
    warn: () => {},
    onUnauthorized: () => {},
    credentials: createCredentials(),
  })
  let settled = false
  void requester.send('/api/state')
  const change = requester.send('/api/x', { method: 'POST' })
  const wait = requester.settled().then(() => (settled = true))
  await Promise.resolve()
  expect(settled).toBe(false)
  answers[1]!()
  await change
  await wait
  expect(settled).toBe(true)
  await requester.settled()
})

describe('[spec 1 §7] JSON', () => {
  test('a body is sent as JSON with its content type', async () => {
    const { requester, calls } = setup([{}])
    await requester.json('/api/x', { method: 'PUT', json: { name: 'ä' } })
    expect(calls[0]!.headers.get('Content-Type')).toBe('application/json')
    expect(calls[0]!.body).toBe('{"name":"ä"}')
  })

  test('without a body there is no content type', async () => {
    const { requester, calls } = setup([{}])
    await requester.json('/api/x', { method: 'DELETE' })
    expect(calls[0]!.headers.has('Content-Type')).toBe(false)
  })

  test.each(['', '  \n'])('an empty body (%j) is null', async (body) => {
    const { requester } = setup([{ body }])
    expect(await requester.json('/api/x')).toBeNull()
  })

  test('[spec 1 §8] anything else than JSON is named', async () => {
    const { requester } = setup([{ body: '<html>' }])
    await expect(requester.json('/api/x')).rejects.toThrow('Invalid JSON response from server')
  })

  test('[spec 1 §8] an error carries status and body', async () => {
    const { requester } = setup([{ status: 409, body: '{"error":"Taken","code":"duplicate_name"}' }])
    const error = await requester.json('/api/x').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ message: 'Taken', status: 409, body: { code: 'duplicate_name' } })
  })
})
