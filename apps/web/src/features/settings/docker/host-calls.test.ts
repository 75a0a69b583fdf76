import { describe, expect, test } from 'vitest'
import { createApi } from '../../../api/client.ts'
import { createCredentials } from '../../../api/credentials.ts'
import { createRequester } from '../../../api/request.ts'
import { aCommand } from './fake-docker.tsx'
import { allowAgain, markForUninstall, removeHost, type RemovalMode, unhideHost } from './host-calls.ts'

/** The page's API client, with a server that returns the given answer. */
function given(answer: Response) {
  const calls: string[] = []
  const credentials = createCredentials()
  const requester = createRequester({
    credentials,
    cookies: () => '',
    wait: async () => {},
    warn: () => {},
    onUnauthorized: () => {},
    async fetch(url, { method = 'GET' }) {
      calls.push(`${method} ${url}`)
      return answer
    },
  })
  return { api: createApi(requester, credentials), calls }
}

describe('[spec 2 §7] removing a host', () => {
  test.each([
    { mode: 'stop', search: '' },
    { mode: 'hide', search: '?hide=true' },
    { mode: 'force', search: '?force=true' },
  ] as const)('$mode calls DELETE with "$search"', async ({ mode, search }) => {
    const { api, calls } = given(Response.json({ success: true, hostId: 'x' }))
    await removeHost(api, 'ABCD:EF/1', mode)
    expect(calls).toEqual([`DELETE /api/agents/docker/hosts/ABCD%3AEF%2F1${search}`])
  })

  test.each([
    { when: 'JSON with a command', answer: () => Response.json({ command: aCommand() }), command: true },
    { when: 'JSON without one', answer: () => Response.json({ success: true }), command: false },
    { when: '204', answer: () => new Response(null, { status: 204 }), command: false },
    { when: 'nothing', answer: () => new Response(' '), command: false },
  ])('answered with $when succeeds', async ({ answer, command }) => {
    const outcome = await removeHost(given(answer()).api, 'h', 'stop')
    expect(outcome).toEqual({ gone: false, command: command ? aCommand() : undefined })
  })

  test('that the server does not know is done already', async () => {
    const answer = Response.json({ error: 'unknown host' }, { status: 404 })
    expect(await removeHost(given(answer).api, 'h', 'force')).toEqual({ gone: true, command: undefined })
  })

  test('[spec 2 §8] an answer that cannot be parsed says so', async () => {
    const answer = new Response('<html>proxy</html>')
    await expect(removeHost(given(answer).api, 'h', 'stop')).rejects.toThrow(
      'Failed to parse delete docker host response',
    )
  })
})

describe('[spec 2 §8] a refusal', () => {
  const refusals = [
    { answer: () => new Response('not now', { status: 503 }), text: 'not now' },
    { answer: () => Response.json({ error: 'no right' }, { status: 409 }), text: 'no right' },
    { answer: () => new Response('', { status: 500 }), text: 'Failed with status 500' },
    { answer: () => new Response('<html>x</html>', { status: 502 }), text: 'Failed with status 502' },
  ]

  test.each(refusals)('says: $text', async ({ answer, text }) => {
    const modes: RemovalMode[] = ['stop', 'hide', 'force']
    for (const mode of modes) await expect(removeHost(given(answer()).api, 'h', mode)).rejects.toThrow(text)
    await expect(unhideHost(given(answer()).api, 'h')).rejects.toThrow(text)
    await expect(markForUninstall(given(answer()).api, 'h')).rejects.toThrow(text)
    await expect(allowAgain(given(answer()).api, 'h')).rejects.toThrow(text)
  })
})

test('[spec 2 §7] unhiding, marking for uninstall and letting in again have calls of their own', async () => {
  const { api, calls } = given(new Response(null, { status: 204 }))
  await unhideHost(api, 'h')
  await markForUninstall(api, 'h')
  await allowAgain(api, 'h')
  expect(calls).toEqual([
    'PUT /api/agents/docker/hosts/h/unhide',
    'PUT /api/agents/docker/hosts/h/pending-uninstall',
    'POST /api/agents/docker/hosts/h/allow-reenroll',
  ])
})
