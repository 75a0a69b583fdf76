import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { anInternalService, givenHosts, password, stateOf, token } from './fixtures.ts'
import { products } from './product.ts'

const kinds = ['pve', 'pbs', 'pmg'] as const
type Kind = (typeof kinds)[number]
const canary = 'canary-of-the-house'
const authOf = (kind: Kind) =>
  kind === 'pmg' ? password('u@pmg', 'p') : token(`u@${kind === 'pve' ? 'pam' : 'pbs'}!t`, 'p')
const startPage = (kind: Kind) => `<html><title>host - ${products[kind].title}</title></html>`

const answers: [string, (response: ServerResponse) => void][] = [
  ['a reason phrase', (response) => response.writeHead(401, canary).end(canary)],
  ['a message', (response) => response.writeHead(403).end(`{"message":"${canary}"}`)],
  ['a bare text', (response) => response.writeHead(404).end(canary)],
  [
    'what looks like an error of PVE',
    (response) => response.writeHead(500, `hostname lookup '${canary}' failed`).end(),
  ],
  ['a place to go', (response) => response.writeHead(302, { location: `https://127.0.0.1/${canary}` }).end()],
  [
    'a page',
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(`<html>${canary}</html>`),
  ],
  ['its name', (response) => response.writeHead(503, { server: canary }).end(canary)],
]

test.concurrent.for(kinds)(
  '[S11] a stored %s tells nothing of what another service says',
  async (kind, context) => {
    const { start, until, logLines } = await givenHosts(context)
    for (const [what, answer] of answers) {
      const service = await anInternalService(context, (_request, response) => answer(response))
      const watched = start(kind, { ...service, auth: authOf(kind) })
      await until(`an error by ${what}`, () => stateOf(watched).error !== undefined)
      await watched.running.stop()
      expect(JSON.stringify([watched.seen, watched.running.totals()], showMaps), what).not.toContain(canary)
    }
    expect(logLines.join('\n')).not.toContain(canary)
  },
)

test.concurrent.for(kinds)(
  '[S11] a %s behind a proxy that hides its name shows itself by its start page, and is quoted',
  async (kind, context) => {
    const { start, until } = await givenHosts(context)
    const asked: string[] = []
    const service = await anInternalService(context, (request, response) => {
      asked.push(request.url ?? '')
      if (request.url === '/') return response.end(startPage(kind))
      return response.writeHead(401, 'no such user').end()
    })
    const watched = start(kind, { ...service, auth: authOf(kind) })
    await until('its reason', () => stateOf(watched).error?.includes('(401 no such user)') === true)
    const again = () => asked.filter((path) => path !== '/').length
    const before = again()
    await until('more errors', () => again() > before)
    expect(asked.filter((path) => path === '/')).toHaveLength(1)
  },
)

const showMaps = (_key: string, value: unknown) => (value instanceof Map ? [...value] : value)
